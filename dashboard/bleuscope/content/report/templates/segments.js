"use strict";
/* The list of all segments: only the rows in sight are in the page. Texts enter it as text, never as HTML. */
(() => {
  const ROW = 36, MARGIN = 6; /* pixels of a row; rows drawn beyond either edge */
  const FIRST_CODE = 0x30, N_ORDERS = 5; /* as the marks were written */
  const AT_ONCE = 4000; /* segments searched before the page gets a turn */
  const MOST_NAMED = 8; /* words of a kind; the others are counted */
  const PAUSE = 150; /* milliseconds without a key before a search begins */
  const state = document.getElementById("list-state");
  const place = document.getElementById("list");

  function make(tag, style, text) {
    const element = document.createElement(tag);
    if (style) element.className = style;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  const minus = (text) => text.replace("-", "\u2212");
  const score = (value) => value.toFixed(2);
  const difference = (value) => (value > 0 ? "+" : "") + minus(value.toFixed(2));
  const part = (value) => (value > 0 ? "+" : "") + minus(value.toFixed(Math.abs(value) < 1 ? 4 : 2));
  const count = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const visible = (text) => text.replaceAll("\0", "\u2400");

  function start(data) {
    const {systems, references, source, documents, parts, delta, notes, languages: [ofSource, ofTarget]} = data;
    const compares = delta !== null;
    const first = systems[0], second = compares ? systems[1] : null;
    const size = first.texts.length;
    const columns = [...(source ? [source] : []), ...references.map((one) => one.texts), ...systems.map((one) => one.texts)];
    const shownText = source ?? references[0].texts;
    const document_of = (segment) => (documents ? documents.names[documents.of[segment]] : "");
    const everything = Array.from({length: size}, (_, index) => index);
    let rows = everything, found = everything, opened = 0, searching = 0;

    const ORDERS = {
      "as in the test set": null,
      ...(parts && {"part in \u0394, most for B": (s) => -parts[s], "part in \u0394, most for A": (s) => parts[s]}),
      ...(compares && {"\u0394 of scores, B ahead": (s) => -delta[s], "\u0394 of scores, A ahead": (s) => delta[s]}),
      [compares ? "BLEU of A, lowest first" : "BLEU, lowest first"]: (s) => first.scores[s],
      ...(compares && {"BLEU of B, lowest first": (s) => second.scores[s]}),
      "tagged first": (s) => (s in notes ? 0 : 1),
    };
    if (!Object.keys(notes).length) delete ORDERS["tagged first"];
    const CELLS = [
      ["segment", "rp-n", (s) => count(s + 1)],
      ...(parts ? [["part in \u0394", "rp-n", (s) => part(parts[s])]] : []),
      [compares ? "BLEU A" : "BLEU", compares ? "rp-n rp-score" : "rp-n", (s) => score(first.scores[s])],
      ...(compares ? [["BLEU B", "rp-n rp-score", (s) => score(second.scores[s])], ["\u0394", parts ? "rp-n rp-score" : "rp-n", (s) => difference(delta[s])]] : []),
      ...(documents ? [["document", "rp-doc", document_of]] : []),
      ["text", "rp-text", (s) => ((notes[s] && notes[s][0] ? `[${notes[s][0]}] ` : "") + visible((shownText[s] ?? "").slice(0, 300)))],
    ];

    /* The frame */
    const tools = make("div", "rp-tools");
    const searchLabel = make("label", "", "Search in all texts ");
    const search = make("input");
    search.type = "search";
    search.placeholder = "words, or #12 for segment 12";
    searchLabel.append(search);
    const orderLabel = make("label", "", "Order ");
    const order = make("select");
    for (const name of Object.keys(ORDERS)) order.append(make("option", "", name));
    orderLabel.append(order);
    tools.append(searchLabel, orderLabel, state);
    const head = make("div", "rp-row rp-head");
    head.setAttribute("aria-hidden", "true");
    for (const [name, style] of CELLS) head.append(make("span", style, name));
    const scroller = make("div", "rp-scroller");
    scroller.tabIndex = 0;
    scroller.setAttribute("role", "listbox");
    scroller.setAttribute("aria-label", "Segments; the arrow keys open one");
    const spacer = make("div", "rp-spacer");
    spacer.setAttribute("role", "presentation");
    scroller.append(spacer);
    const frame = make("div", "rp-frame");
    frame.append(head, scroller);
    const detail = make("div", "rp-opened");
    detail.setAttribute("role", "region");
    detail.setAttribute("aria-label", "The open segment");
    place.append(tools, frame, detail);

    /* Rows */
    function row(position) {
      const segment = rows[position], element = make("div", "rp-row");
      element.id = `segment-${segment + 1}`;
      element.style.top = `${position * ROW}px`;
      element.setAttribute("role", "option");
      element.setAttribute("aria-selected", String(segment === opened));
      element.setAttribute("aria-posinset", String(position + 1));
      element.setAttribute("aria-setsize", String(rows.length));
      element.setAttribute("aria-label", CELLS.map(([name, , write]) => `${name} ${write(segment)}`).join(", "));
      for (const [, style, write] of CELLS) {
        const cell = make("span", style, write(segment));
        cell.dir = style.startsWith("rp-n") ? "ltr" : "auto";
        element.append(cell);
      }
      element.addEventListener("click", () => open(segment));
      return element;
    }

    function draw() {
      const begin = Math.max(0, Math.floor(scroller.scrollTop / ROW) - MARGIN);
      const end = Math.min(rows.length, Math.ceil((scroller.scrollTop + scroller.clientHeight) / ROW) + MARGIN);
      spacer.style.height = `${rows.length * ROW}px`;
      spacer.replaceChildren(...Array.from({length: Math.max(0, end - begin)}, (_, index) => row(begin + index)));
      if (document.getElementById(`segment-${opened + 1}`)) scroller.setAttribute("aria-activedescendant", `segment-${opened + 1}`);
      else scroller.removeAttribute("aria-activedescendant");
    }

    function open(segment, keepsPlace = true) {
      opened = segment;
      if (!keepsPlace) {
        const top = rows.indexOf(segment) * ROW;
        if (top < scroller.scrollTop) scroller.scrollTop = top;
        else if (top + ROW > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = top + ROW - scroller.clientHeight;
      }
      draw();
      detail.replaceChildren(...written(segment));
    }

    function arrange() {
      const key = ORDERS[order.value];
      rows = key === null ? found : found.slice().sort((one, other) => key(one) - key(other) || one - other);
      state.textContent = rows.length === size ? `${count(size)} segments` : `${count(rows.length)} of ${count(size)} segments`;
      scroller.scrollTop = 0;
      if (rows.length) open(rows[0]);
      else { draw(); detail.replaceChildren(make("p", "bs-source", "No segment has this text.")); }
    }

    async function find() {
      const mine = ++searching, wanted = search.value.trim().toLowerCase();
      const number = /^#\s*(\d+)$/.exec(wanted);
      if (!wanted || number) {
        found = number ? everything.slice(Number(number[1]) - 1, Number(number[1])) : everything;
        if (number && number[1] === "0") found = [];
        arrange();
        return;
      }
      const holds = (text) => text !== null && text.toLowerCase().includes(wanted);
      const hits = [];
      for (let begin = 0; begin < size; begin += AT_ONCE) {
        for (let segment = begin; segment < Math.min(size, begin + AT_ONCE); segment++) {
          if (columns.some((texts) => holds(texts[segment])) || (notes[segment] ?? []).some(holds) || holds(document_of(segment))) hits.push(segment);
        }
        await new Promise((go) => setTimeout(go, 0));
        if (mine !== searching) return;
      }
      found = hits;
      arrange();
    }

    /* The open segment */
    function written(segment) {
      const title = make("h3", "", `Segment ${count(segment + 1)}`);
      if (documents) {
        const name = make("bdi", "", document_of(segment));
        title.append(", ", name);
      }
      const facts = make("p", "rp-facts");
      if (parts) facts.append(fact(part(parts[segment]), "part in \u0394"));
      if (compares) facts.append(fact(difference(delta[segment]), "\u0394 of the segment's own scores"));
      const [tag, note] = notes[segment] ?? ["", ""];
      if (tag) facts.append(make("span", "rp-tag", tag));
      const context = make("div", "bs-cards");
      if (source) context.append(card(make("span", "", "source"), "", [visible(source[segment])], ofSource));
      for (const {name, texts} of references) {
        const label = make("bdi", "", name), text = texts[segment];
        context.append(text === null ? card(label, "", [make("span", "bs-none", "this segment has no such reference")]) : card(label, "", [visible(text)], ofTarget));
      }
      const outputs = make("div", "bs-cards");
      for (const system of systems) {
        const shown = visible(system.texts[segment]), tokens = system.marks ? tokens_of(shown, system.marks[segment]) : [];
        outputs.append(card(label(system), `${score(system.scores[segment])} BLEU`, marked(shown, tokens), ofTarget));
        if (tokens.length) outputs.lastChild.append(in_words(tokens));
      }
      const pieces = [title, facts, context, outputs];
      if (note) {
        const said = make("p", "rp-note", note);
        said.dir = "auto";
        pieces.splice(2, 0, said);
      }
      return pieces;
    }

    function fact(value, name) {
      const element = make("span", "rp-fact");
      element.append(make("b", "", value), ` ${name}`);
      return element;
    }

    function label({name, mark, colour, role}) {
      const element = make("span", "bs-system"), swatch = make("span", "bs-swatch", "");
      swatch.dataset.mark = mark;
      swatch.style.color = colour;
      if (role) element.append(make("span", "bs-role", role));
      element.append(swatch, make("bdi", "", name));
      return element;
    }

    function card(name, points, body, language = null) {
      const element = make("article", "bs-card"), header = make("header"), text = make("p", "bs-body");
      header.append(name, ...(points ? [make("span", "bs-score", points)] : []));
      text.dir = "auto";
      if (language !== null) text.lang = language;
      text.append(...(body.join("") === "" ? [make("span", "bs-none", "empty")] : body));
      element.append(header, text);
      return element;
    }

    /* Marked tokens as the page has them: where each stands, and what it is marked as. */
    function tokens_of(shown, marks) {
      const tokens = [], codes = Array.from(marks, (one) => one.codePointAt(0) - FIRST_CODE);
      let end = 0;
      for (let index = 0; index < codes.length; index += 3) {
        const begin = end + codes[index], mark = codes[index + 2];
        end = begin + codes[index + 1];
        const length = mark % N_ORDERS, isClipped = Math.floor(mark / N_ORDERS) % 2 === 1, differs = mark >= 2 * N_ORDERS;
        tokens.push({begin, end, mark, length, isClipped, differs, text: shown.slice(begin, end)});
      }
      return tokens;
    }

    /* Neighbours that are marked alike stand in one element, which says what they are to whoever does not see it. */
    function marked(shown, tokens) {
      const pieces = [];
      let end = 0, run = null, before = null;
      for (const token of tokens) {
        const between = shown.slice(end, token.begin);
        if (before === null || token.mark !== before.mark || between.trim()) {
          pieces.push(between, (run = run_of(token)));
        } else {
          run.append(between);
        }
        run.append(make("span", styles(token), token.text));
        before = token;
        end = token.end;
      }
      return [...pieces, shown.slice(end)].filter((piece) => piece !== "");
    }

    function styles({length, isClipped, differs}) {
      return ["bs-token", ...(length ? [`bs-m${length}`] : []), ...(isClipped ? ["bs-clipped"] : []), ...(differs ? ["bs-differs"] : [])].join(" ");
    }

    function run_of({length, isClipped, differs}) {
      const run = make(isClipped ? "del" : length ? "mark" : "ins", "bs-run"), isLongest = length === N_ORDERS - 1;
      run.dataset.said = [
        ...(isClipped ? ["repeat"] : []),
        ...(length ? [length === 1 ? "match" : `match of ${length}${isLongest ? " or more" : ""}`] : []),
        ...(differs ? ["differs"] : []),
      ].join(", ");
      run.title = [
        length > 1 ? `Part of a matching ${length}-gram${isLongest ? " or longer" : ""}.` : length ? "Matches alone." : "",
        isClipped ? "In a reference, but not this often: this repeat does not count as a match." : "",
        !length && !isClipped ? "In no reference." : "",
      ].filter(Boolean).join(" ");
      return run;
    }

    function in_words(tokens) {
      const n_matching = tokens.filter((one) => one.length).length;
      const said = make("p", "bs-in-words", `${count(n_matching)} ${n_matching === 1 ? "word matches" : "words match"}`);
      for (const [what, holds] of [["repeated", (one) => one.isClipped], ["differ", (one) => one.differs]]) {
        const words = [...new Set(tokens.filter(holds).map((one) => one.text))].filter((one) => /[\p{L}\p{N}]/u.test(one));
        words.slice(0, MOST_NAMED).forEach((word, place) => said.append(place ? ", " : `; ${what}: `, make("bdi", "", word)));
        if (words.length > MOST_NAMED) said.append(`, ${count(words.length - MOST_NAMED)} more`);
      }
      return said;
    }

    /* What the reader does */
    let waiting = 0, drawing = 0;
    search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(find, PAUSE); });
    search.addEventListener("keydown", (event) => { if (event.key === "Enter") scroller.focus(); });
    order.addEventListener("change", arrange);
    scroller.addEventListener("scroll", () => { cancelAnimationFrame(drawing); drawing = requestAnimationFrame(draw); });
    scroller.addEventListener("keydown", (event) => {
      const page = Math.max(1, Math.floor(scroller.clientHeight / ROW) - 1);
      const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length};
      if (!(event.key in steps) || !rows.length || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const position = rows.indexOf(opened) + steps[event.key];
      open(rows[Math.min(rows.length - 1, Math.max(0, position))], false);
    });
    new ResizeObserver(draw).observe(scroller);
    arrange();
    document.documentElement.dataset.list = "ready";
  }

  state.textContent = "Reading all segments \u2026";
  if (!canUnpack) state.textContent = "This browser is too old to read the list: it takes one of 2023 or newer.";
  else unpacked("segment-data").then((text) => start(JSON.parse(text)), () => { state.textContent = "The list could not be read: the file seems to be cut off."; });
})();
