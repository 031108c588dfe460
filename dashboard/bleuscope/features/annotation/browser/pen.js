// The pen: marks in translations, drawn by the browser at once. The server is told by events (outbox.js) and sends what
// it has saved; what is on the screen is always the one with the other applied to it.
import { Outbox } from "./outbox.js";
import { Clock } from "./clock.js";
import { Keyboard } from "./keyboard.js";
import { Pointer } from "./pointer.js";
import { applied, inOrder, inverse, newName } from "./state.js";
import { nearestCut, readText, toPoints, toUnits } from "./text.js";
import { CONFLICTS, howTo, keysOf, kindOf, markWords, quoted, savedWords, whatIsMarked } from "./words.js";

const MOST_UNDONE = 500, MOST_READ = 20, READS_AHEAD_AFTER = 100; // events, items, milliseconds
const EMPTY = { marks: {}, score: null, comment: "", is_finished: false, revision: 0, conflicts: [] };
const LARGEST_NUMBER = 1e9; // of an event; the server takes it for the last one that it has
const UNDER_HEAD = 60; // pixels that the head of the page covers
const IS_TOUCH = matchMedia("(pointer: coarse)").matches;

const element = (tag, { text, ...attributes } = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
};
const key = (name) => element("kbd", { text: name });
const button = (words, does, attributes = {}) => {
  const made = element("button", { type: "button", ...attributes }, ...[words].flat());
  made.addEventListener("click", does);
  return made;
};

class Pen {
  constructor(place) {
    this.place = place;
    [this.read, this.reads] = [{}, new Map()];
    [this.undone, this.wanted, this.item, this.window, this.made] = [[], null, null, newName(), 0];
    [this.selection, this.activeId, this.nextCategory, this.chord] = [null, null, "", null];
  }

  // What the server says: texts, states and answers.
  update(data, post) {
    const isNew = !this.data;
    [this.data, this.post] = [data, post];
    if (isNew) {
      this.build();
      this.outbox = new Outbox(data.place, (letter) => this.post(letter), () => this.drawSaved());
    }
    const { number, acknowledged, refused } = data.answer;
    this.outbox.hear(number, acknowledged, refused);
    const reasons = Object.values(refused);
    if (reasons.length) this.say(`Not saved: ${reasons[0]}`);
    if (this.wanted !== null && !this.has(this.wanted) && number === 0) { // a new session, which does not know where one is
      this.outbox.go(this.wanted);
      return;
    }
    const now = data.items.find((one) => one.item === this.item?.item);
    const waitsForNext = this.wanted === null && now !== undefined && now.item === data.open && this.isFinished(now);
    if (!this.has(this.wanted) && !waitsForNext) this.wanted = data.open;
    this.show(this.wanted ?? data.open);
  }

  has(id) {
    return this.data.items.some((one) => one.item === id);
  }

  // An item on the screen: the same once more, or another.
  show(id) {
    const item = this.data.items.find((one) => one.item === id) ?? null;
    const isOther = item?.item !== this.item?.item || item?.text !== this.item?.text;
    this.item = item;
    this.root.classList.toggle("is-done", item === null);
    this.foldState();
    if (item && isOther) {
      this.read = this.readOf(item);
      const first = this.read.target.tokens[0] ?? { start: 0, end: 0 };
      this.select("target", first, first);
      this.clock.start(item.item);
      this.drawItem();
      const field = this.texts.target;
      field.focus({ preventScroll: !this.data.is_alone });
      if (this.data.is_alone) this.root.scrollIntoView({ block: "nearest" });
    }
    this.draw();
    setTimeout(() => { for (const one of this.data.items) this.readOf(one); }, READS_AHEAD_AFTER);
  }

  readOf(item) { // where its texts can be cut, found before they are shown
    const key = `${item.item}\n${item.text}`;
    if (!this.reads.has(key)) {
      this.reads.set(key, {
        source: readText(item.source ?? "", item.source_lang, item.clusters.source),
        target: readText(item.text, item.lang, item.clusters.text),
      });
      if (this.reads.size > MOST_READ) this.reads.delete(this.reads.keys().next().value);
    }
    return this.reads.get(key);
  }

  foldState() {
    if (!this.item) return;
    this.state = { ...EMPTY, ...this.item.state };
    for (const event of this.outbox.events.values()) {
      if (event.item === this.item.item) this.state = applied(this.state, event.body);
    }
    if (this.activeId && !this.state.marks[this.activeId]) this.activeId = null;
  }

  // Something was done: it is drawn, kept and sent.
  act(body, { isUndo = false } = {}) {
    if (this.data.is_read_only || !this.item) return;
    const back = inverse(this.state, body);
    if (back && !isUndo) this.undone = [...this.undone.slice(-MOST_UNDONE), { item: this.item.item, back }];
    this.made += 1;
    const name = `${this.window}.${this.made}`;
    const event = { client_id: name, order: Date.now() + this.made / 1e6, item: this.item.item, base: this.base(), body };
    this.outbox.add(event);
    this.foldState();
    this.draw();
  }

  // What this window has seen: what waits since before a reload is drawn too, and is stored before what is done now.
  base() {
    const waiting = [...this.outbox.events.values()].filter((one) => one.item === this.item.item);
    return waiting.some((one) => !one.client_id.startsWith(`${this.window}.`)) ? LARGEST_NUMBER : this.item.state.revision;
  }

  undo() {
    const at = this.undone.findLastIndex((one) => one.item === this.item?.item);
    if (at < 0) {
      this.say("Nothing to undo");
      return;
    }
    const [{ back }] = this.undone.splice(at, 1);
    this.act(back, { isUndo: true });
    this.activeId = back.mark && this.state.marks[back.mark_id] ? back.mark_id : null;
    this.draw();
    this.say("Undone");
  }

  // The selection: from an anchor to where the cursor is, both tokens or single letters.
  select(side, anchor, at, { isExtended = false, byTouch = false } = {}) {
    const start = Math.min(anchor.start, at.start), end = Math.max(anchor.end, at.end);
    this.selection = { side, anchor, at, start, end, isExtended, byTouch };
    this.chord = null;
    this.activeId = isExtended || side === "missing" ? null : this.markUnder(side, start, end);
  }

  markUnder(side, start, end) {
    const read = this.read[side === "missing" ? "target" : side];
    const point = toPoints(read, { start, end });
    const found = inOrder(this.state.marks).filter(([, one]) => one.side === side && one.end > one.start &&
      one.start <= point.start && point.end <= one.end && point.end > point.start);
    return found.sort(([, one], [, other]) => one.end - one.start - (other.end - other.start))[0]?.[0] ?? null;
  }

  // "Missing" is a place: before the cursor, or at the end of the text.
  selectGap(isAtEnd) {
    const read = this.read.target;
    const { side, at } = this.selection ?? {};
    const start = isAtEnd || side !== "target" && side !== "missing" ? read.length : at.start;
    this.select("missing", { start, end: start }, { start, end: start });
    this.draw();
    this.say(`${whatIsMarked({ side: "missing", start, end: start }, read.text)}: choose ${this.severityWords()}`);
  }

  severityWords() {
    return this.data.scheme.severities.map((one, at) => `${at + 1} ${one.name}`).join(", ");
  }

  setSeverity(at) {
    const severity = this.data.scheme.severities[at]?.name;
    if (!severity || this.data.is_read_only || !this.item) return;
    const before = this.state.marks[this.activeId];
    if (before) {
      if (before.severity !== severity) this.act({ kind: "changed", mark_id: this.activeId, mark: { ...before, severity } });
      this.sayMark(this.activeId);
      return;
    }
    const mark = this.newMark(severity);
    if (!mark) {
      this.say("Select a word first");
      return;
    }
    const id = newName();
    this.nextCategory = "";
    this.activeId = id;
    this.act({ kind: "marked", mark_id: id, mark });
    this.sayMark(id);
  }

  newMark(severity) {
    if (!this.selection) return null;
    const { side, start, end } = this.selection;
    const isPlace = side === "missing" || side === "target" && start === end && end === this.read.target.length;
    if (start === end && !isPlace) return null;
    const place = toPoints(this.read[isPlace ? "target" : side], { start, end });
    const category = this.nextCategory || (isPlace ? this.categoryOfGaps() : "");
    return { ...place, severity, category, side: isPlace ? "missing" : side, comment: "" };
  }

  categoryOfGaps() {
    for (const { name, parts } of this.data.scheme.categories) {
      if (/^omission$/i.test(name)) return name;
      const part = parts.find((one) => /^omission$/i.test(one.name));
      if (part) return `${name}/${part.name}`;
    }
    return "";
  }

  setCategory(category, parts = []) {
    if (this.data.is_read_only) return;
    this.chord = parts.length ? { category, parts } : null;
    const before = this.state.marks[this.activeId];
    if (before) {
      if (before.category !== category) this.act({ kind: "changed", mark_id: this.activeId, mark: { ...before, category } });
      this.sayMark(this.activeId);
    } else {
      this.nextCategory = category;
      this.say(`${category.split("/").at(-1)}: choose ${this.severityWords()}`);
    }
    this.drawBar();
    if (this.chord) this.say(`${category}. ${parts.map((one) => `${one.key.toUpperCase()} ${one.name}`).join(", ")}`);
  }

  remove(id = this.activeId) {
    const mark = this.state.marks[id];
    if (!mark || this.data.is_read_only) return;
    if (id === this.activeId) this.activeId = null;
    this.act({ kind: "removed", mark_id: id });
    this.say(`Removed: ${this.wordsOf(mark)}`);
  }

  activate(id) {
    const mark = this.state.marks[id];
    const side = mark.side === "missing" ? "target" : mark.side;
    const range = toUnits(this.read[side], mark);
    this.select(mark.side, range, range, { isExtended: true });
    this.activeId = id;
    this.draw();
    this.sayMark(id);
  }

  deselect() {
    if (this.data.is_alone && !this.selection?.isExtended && !this.activeId && !this.nextCategory && !this.chord) {
      document.activeElement?.blur(); // back to the keys of the page
      return;
    }
    [this.nextCategory, this.chord] = ["", null];
    if (this.selection) {
      const { side, at } = this.selection;
      this.select(side === "missing" ? "target" : side, at, at);
      this.activeId = null;
    }
    this.draw();
  }

  comment() {
    if (this.data.is_read_only) return;
    const mark = this.state.marks[this.activeId];
    const field = this.commentField;
    field.id = this.activeId && mark ? this.activeId : null;
    field.words.textContent = field.id ? `Comment on ${this.wordsOf(mark)}` : "Comment on the translation";
    field.input.value = field.id ? mark.comment : this.state.comment;
    field.box.hidden = false;
    field.input.focus();
  }

  endComment(isKept) {
    const { id, input, box } = this.commentField;
    if (box.hidden) return;
    box.hidden = true;
    const said = input.value.trim(), mark = this.state.marks[id];
    if (isKept && mark && mark.comment !== said) this.act({ kind: "changed", mark_id: id, mark: { ...mark, comment: said } });
    if (isKept && !id && this.state.comment !== said) this.act({ kind: "commented", comment: said });
    this.texts.target.focus();
  }

  setScore(score) {
    if (this.data.is_read_only) return;
    if (score !== this.state.score) this.act({ kind: "scored", score });
  }

  // Done with this one. What is still open is said once; Enter once more finishes all the same.
  finish() {
    if (!this.item || this.data.is_read_only) return;
    this.endComment(true);
    const lacking = this.lacking();
    if (lacking) {
      lacking();
      return;
    }
    const next = this.data.items.find((one) => one.number > this.item.number && !this.isFinished(one));
    if (!this.state.is_finished || this.data.is_alone) this.act({ kind: "finished", seconds: this.clock.taken() });
    if (this.data.is_alone) {
      this.say("Saved. The keys of the page work again; E closes the pen.");
      document.activeElement?.blur();
      return;
    }
    const said = `${this.item.number} of ${this.data.of} done.`;
    this.warned = null;
    this.goTo(next?.item ?? null);
    this.say(next ? `${said} Next: ${quoted(next.text)}` : said);
  }

  lacking() {
    if (this.data.scheme.has_slider && this.state.score === null) {
      return () => {
        this.score.input.focus();
        this.say("Give a score from 0 to 100, then press Enter");
      };
    }
    const without = inOrder(this.state.marks).find(([, one]) => !one.category);
    if (this.data.scheme.categories.length && without && this.warned !== without[0]) {
      return () => {
        this.activate(without[0]);
        this.texts.target.focus();
        this.warned = without[0];
        this.say(`${this.wordsOf(without[1])} has no kind. Press its letter, or Enter to leave it so.`, { isWarning: true });
      };
    }
    return null;
  }

  isFinished(item) {
    const events = [...this.outbox.events.values()].filter((event) => event.item === item.item);
    return events.reduce((state, event) => applied(state, event.body), { ...EMPTY, ...item.state }).is_finished;
  }

  goTo(id) {
    this.endComment(true);
    this.wanted = id;
    this.outbox.go(id);
    if (id) this.show(id);
    else this.drawSaved();
    const isAbove = this.root.getBoundingClientRect().top < UNDER_HEAD;
    if (isAbove) this.root.scrollIntoView({ block: "start" });
  }

  step(by) {
    const number = (this.item?.number ?? this.data.of + 1) + by;
    const found = this.data.items.find((one) => one.number === number);
    if (found) this.goTo(found.item);
  }

  pause(isPaused = !this.root.classList.contains("is-paused")) {
    this.root.classList.toggle("is-paused", isPaused);
    this.paused.hidden = !isPaused;
    this.clock.pause(isPaused);
    (isPaused ? this.paused.querySelector("button") : this.texts.target).focus();
    this.say(isPaused ? "Paused" : "Going on");
  }

  wordsOf(mark) {
    const side = mark.side === "missing" ? "target" : mark.side;
    return markWords({ ...mark, ...toUnits(this.read[side], mark) }, this.read[side].text);
  }

  sayMark(id) {
    if (this.state.marks[id]) this.say(this.wordsOf(this.state.marks[id]));
  }

  say(words, { isWarning = false } = {}) {
    this.said.textContent = words;
    this.said.classList.toggle("is-warning", isWarning);
  }

  // Where a pointer is, in the text of a side; null outside of it.
  offsetAt(side, x, y) {
    const place = document.caretPositionFromPoint?.(x, y) ?? document.caretRangeFromPoint?.(x, y);
    const [node, offset] = place ? [place.offsetNode ?? place.startContainer, place.offset ?? place.startOffset] : [];
    const piece = node?.parentElement?.closest?.("[data-start]");
    if (!piece || !this.texts[side].contains(piece)) return null;
    return nearestCut(this.read[side], Number(piece.dataset.start) + offset);
  }

  rectsOf(side, start, end) { // where a part of a text is on the screen
    const range = document.createRange();
    const pieces = [...this.texts[side].querySelectorAll("[data-start]")];
    const set = (offset, does, isEnd) => {
      const piece = pieces.findLast((one) => isEnd ? Number(one.dataset.start) < offset : Number(one.dataset.start) <= offset) ?? pieces[0];
      if (!piece?.firstChild) return;
      range[does](piece.firstChild, Math.min(offset - Number(piece.dataset.start), piece.firstChild.length));
    };
    set(start, "setStart", false);
    set(end, "setEnd", true);
    return [...range.getClientRects()].filter((one) => one.width > 0);
  }

  // Drawing.
  build() {
    const { scheme } = this.data;
    this.root = element("section", { class: this.data.is_alone ? "bs-pen is-alone" : "bs-pen", "aria-label": "Annotation" });
    this.clock = new Clock();
    this.progress = element("progress", { max: 1, value: 0, "aria-label": "Finished" });
    this.count = element("span", { class: "bs-pen-count" });
    this.saved = element("span", { class: "bs-pen-saved" });
    const head = element("header", {}, this.count, this.progress, this.saved,
      element("span", { class: "bs-pen-ways" },
        button("Back", () => this.step(-1)),
        button("Forward", () => this.step(1)),
        button("Pause", () => this.pause()),
        button(["Keys ", key("?")], () => this.keys.showModal(), { class: "bs-pen-keys-button" })));
    const how = element("p", { class: "bs-pen-how", id: "bs-pen-how" });
    for (const part of howTo(scheme, IS_TOUCH)) how.append(Array.isArray(part) ? key(part[0]) : part, " ");
    this.labels = {};
    this.texts = {};
    const parts = ["source", "reference", "target"].map((side) => this.buildText(side));
    this.handles = ["start", "end"].map((which) => button("", () => {}, { class: `bs-pen-handle is-${which}`, tabindex: -1, "aria-label": `Move the ${which} of the selection`, hidden: true }));
    this.marks = element("ol", { class: "bs-pen-marks", "aria-label": "Marks" });
    this.said = element("p", { class: "bs-pen-said", role: "status", "aria-live": "polite" });
    this.bar = this.buildBar(scheme);
    this.commentField = this.buildComment();
    this.score = scheme.has_slider ? this.buildScore() : null;
    this.done = button([this.data.is_alone ? "Done " : "Done, next ", key("Enter")], () => this.finish(), { class: "bs-pen-done" });
    const tools = element("div", { class: "bs-pen-tools" }, this.said, this.bar, this.commentField.box,
      ...(this.score ? [this.score.box] : []), this.done);
    this.paused = element("div", { class: "bs-pen-paused", hidden: true }, element("p", { text: "Paused. No time is counted, and all is saved." }),
      button("Go on", () => this.pause(false), { class: "bs-pen-done" }));
    this.keys = this.buildKeys(scheme);
    this.over = element("p", { class: "bs-pen-over", role: "status" });
    this.root.append(head, how, element("div", { class: "bs-pen-texts" }, ...parts, ...this.handles), tools, this.marks, this.paused, this.over, this.keys);
    this.place.replaceChildren(this.root);
    this.keyboard = new Keyboard(this);
    this.pointer = new Pointer(this);
  }

  buildText(side) {
    const names = { source: "Source", reference: "Reference", target: "Translation" };
    const label = element("h2", { text: names[side], id: `bs-pen-${side}` });
    const isMarked = side !== "reference";
    this.texts[side] = element("p", {
      class: "bs-pen-text", ...(isMarked ? { role: "application", tabindex: 0, "aria-describedby": "bs-pen-how" } : {}),
      "aria-labelledby": label.id, "data-side": side, "aria-roledescription": isMarked ? "text to mark" : null,
    });
    this.labels[side] = label;
    return element("div", { class: `bs-pen-side is-${side}` }, label, this.texts[side]);
  }

  buildBar(scheme) {
    this.severities = scheme.severities.map((one, at) =>
      button([key(String(at + 1)), " ", one.name], () => this.press(() => this.setSeverity(at)), { class: `bs-pen-severity is-level-${this.levelAt(at)}`, "aria-pressed": "false" }));
    this.categories = element("div", { class: "bs-pen-categories", role: "group", "aria-label": "Kind of error" });
    const others = element("div", { class: "bs-pen-others", role: "group", "aria-label": "More" },
      button([key("M"), " Missing here"], () => this.press(() => this.selectGap(false)), { class: "bs-pen-gap-button" }),
      button("Missing at the end", () => this.press(() => this.selectGap(true))),
      button([key("C"), " Comment"], () => this.comment()),
      button([key("Z"), " Undo"], () => this.press(() => this.undo())));
    return element("div", { class: "bs-pen-bar", role: "toolbar", "aria-label": "Mark the selection" },
      element("div", { class: "bs-pen-severities", role: "group", "aria-label": "Severity" }, ...this.severities), this.categories, others);
  }

  press(does) { // by button: the keyboard stays where it is, on the text
    does();
    this.texts[this.selection?.side === "source" ? "source" : "target"].focus({ preventScroll: true });
  }

  buildComment() {
    const words = element("label", { for: "bs-pen-comment" });
    const input = element("input", { id: "bs-pen-comment", type: "text", maxlength: 500, autocomplete: "off" });
    const box = element("div", { class: "bs-pen-comment", hidden: true }, words, input,
      button("Save", () => this.endComment(true)));
    return { words, input, box, id: null };
  }

  buildScore() {
    const input = element("input", { type: "range", min: 0, max: 100, step: 1, "aria-label": "Score of the translation, 0 to 100" });
    const shown = element("output", { class: "bs-pen-number" });
    input.addEventListener("focus", () => { this.keyboard.typed = ""; });
    input.addEventListener("input", () => this.drawScore(Number(input.value)));
    input.addEventListener("change", () => this.setScore(Number(input.value)));
    input.addEventListener("pointerup", () => this.setScore(Number(input.value)));
    const box = element("div", { class: "bs-pen-score" }, element("span", { text: "0 no meaning kept" }), input, element("span", { text: "100 perfect" }), shown);
    return { input, shown, box };
  }

  buildKeys(scheme) {
    const list = element("dl");
    this.keyList = list;
    const dialog = element("dialog", { class: "bs-pen-keys", "aria-label": "Keys" }, element("h2", { text: "Keys" }), list,
      button("Close", () => dialog.close(), { class: "bs-pen-done" }));
    dialog.addEventListener("close", () => this.texts.target.focus());
    return dialog;
  }

  levelAt(at) { // 1 to 3: how strong a severity looks; the last is the gravest
    const n = this.data.scheme.severities.length;
    return n < 3 ? at + 1 : Math.min(1 + Math.round((2 * at) / (n - 1)), 3);
  }

  levelOf(mark) {
    return this.levelAt(Math.max(this.data.scheme.severities.findIndex((one) => one.name === mark.severity), 0));
  }

  drawItem() {
    const { item } = this;
    const texts = { source: item.source, reference: item.reference, target: item.text };
    for (const [side, text] of Object.entries(texts)) {
      const shown = this.texts[side];
      shown.parentElement.hidden = text === null || text === undefined || text === "" && side !== "target";
      shown.lang = (side === "source" ? item.source_lang : item.lang) ?? "";
      shown.dir = side === "source" ? item.source_direction : item.direction;
      if (side === "reference") shown.textContent = text ?? "";
    }
    this.keyList.replaceChildren(...keysOf(this.data.scheme, item.direction).flatMap(([keys, does]) =>
      [element("dt", {}, ...keys.map(key)), element("dd", { text: does })]));
    this.commentField.box.hidden = true;
    [this.nextCategory, this.warned] = ["", null];
    this.said.textContent = "";
  }

  draw() {
    this.drawSaved();
    if (!this.item) {
      this.over.textContent = this.data.is_done ? `All ${this.data.of} done. Thank you: you can close this page.` : "Loading the next one …";
      return;
    }
    this.over.textContent = "";
    const { item, data } = this;
    this.count.textContent = data.of > 1 ? `${item.number} of ${data.of}` : "";
    [this.progress.value, this.progress.hidden] = [data.n_finished / Math.max(data.of, 1), data.of < 2];
    this.drawText("source");
    this.drawText("target");
    this.drawMarks();
    this.drawBar();
    if (this.score) this.drawScore(this.state.score);
    this.drawHandles();
  }

  drawSaved() {
    if (!this.saved) return;
    const n = this.outbox?.events.size ?? 0;
    this.saved.textContent = this.data.is_read_only ? "Read only" : savedWords(n, this.outbox?.isLate);
    this.saved.classList.toggle("is-late", Boolean(this.outbox?.isLate));
  }

  // A text in pieces: each has the same marks and is selected whole or not at all.
  drawText(side) {
    const read = this.read[side], { length } = read;
    const isHere = (one) => one.side === side || side === "target" && one.side === "missing";
    const marks = inOrder(this.state.marks).filter(([, one]) => isHere(one)).map(([id, one]) =>
      ({ id, ...one, ...toUnits(read, one), level: this.levelOf(one) }));
    const chosen = this.selection && isHere(this.selection) ? this.selection : null;
    const places = new Set([0, length, ...marks.flatMap((one) => [one.start, one.end])]);
    if (chosen) for (const place of [chosen.start, chosen.end, chosen.at.start, chosen.at.end]) places.add(place);
    const cuts = [...places].sort((one, other) => one - other);
    const pieces = [];
    for (const [index, start] of cuts.entries()) {
      for (const one of marks) if (one.side === "missing" && one.start === start) pieces.push(this.gap(one));
      const isPlace = chosen && (chosen.side === "missing" || start === length && !chosen.isExtended);
      if (isPlace && chosen.start === chosen.end && chosen.start === start && !this.activeId) pieces.push(element("span", { class: "bs-pen-gap is-selected", "aria-hidden": "true" }));
      const end = cuts[index + 1];
      if (end === undefined) break;
      const here = marks.filter((one) => one.start <= start && end <= one.end);
      pieces.push(this.piece(read.text.slice(start, end), start, here, chosen && chosen.start <= start && end <= chosen.end));
    }
    this.texts[side].replaceChildren(...pieces);
  }

  piece(text, start, here, isSelected) {
    const level = Math.max(0, ...here.map((one) => one.level));
    const names = [...(level ? [`is-level-${level}`] : []), ...(here.length > 1 ? ["is-nested"] : []),
      ...(here.some((one) => one.id === this.activeId) ? ["is-active"] : []), ...(isSelected ? ["is-selected"] : [])];
    const attributes = { class: names.join(" ") || null, "data-start": start, text };
    return here.length ? element("mark", { ...attributes, title: here.map(kindOf).join("; ") }) : element("span", attributes);
  }

  gap(mark) {
    const names = ["bs-pen-gap", `is-level-${mark.level}`, ...(mark.id === this.activeId ? ["is-active"] : [])];
    const made = element("span", { class: names.join(" "), title: `${kindOf(mark)}: missing text`, role: "img", "aria-label": `${kindOf(mark)}: missing text`, "data-mark": mark.id });
    return made;
  }

  drawMarks() {
    const rows = inOrder(this.state.marks).map(([id, mark], at) => {
      const side = mark.side === "missing" ? "target" : mark.side;
      const place = toUnits(this.read[side], mark);
      const what = element("bdi", { text: whatIsMarked({ ...mark, ...place }, this.read[side].text) });
      const open = button([element("b", { class: `is-level-${this.levelOf(mark)}`, text: kindOf(mark) }), " ", what,
        ...(mark.side === "source" ? [" in the source"] : []), ...(mark.comment ? [element("i", { text: ` ${mark.comment}` })] : [])],
      () => this.press(() => this.activate(id)), { class: "bs-pen-mark", "aria-current": id === this.activeId ? "true" : null });
      const away = button("✕", () => this.press(() => this.remove(id)), { class: "bs-pen-remove", "aria-label": `Remove mark ${at + 1}` });
      return element("li", {}, open, ...(this.data.is_read_only ? [] : [away]));
    });
    const abouts = [...new Set(this.state.conflicts.map((one) => one.about))];
    const conflict = abouts.map((about) => element("li", { class: "is-conflict", text: CONFLICTS[about] }));
    const comment = this.state.comment ? [element("li", { class: "is-comment", text: `Comment: ${this.state.comment}` })] : [];
    this.marks.replaceChildren(...conflict, ...rows, ...comment);
  }

  drawBar() {
    const active = this.state.marks[this.activeId];
    for (const [at, one] of this.severities.entries()) {
      one.ariaPressed = String(active?.severity === this.data.scheme.severities[at].name);
    }
    const chosen = active?.category ?? this.nextCategory;
    const shown = this.chord ? this.chord.parts.map((one) => ({ ...one, full: `${this.chord.category}/${one.name}`, parts: [] }))
      : this.data.scheme.categories.map((one) => ({ ...one, full: one.name }));
    const state = `${chosen}|${shown.map((one) => one.full).join("|")}`;
    if (this.categories.dataset.state === state) return;
    this.categories.dataset.state = state;
    this.categories.replaceChildren(...shown.map((one) => button([key(one.key.toUpperCase()), ` ${one.name}`],
      () => this.press(() => this.setCategory(one.full, one.parts)),
      { "aria-pressed": String(chosen === one.full || chosen.startsWith(`${one.full}/`)) })));
  }

  drawScore(score) {
    const { input, shown, box } = this.score;
    box.classList.toggle("is-unset", score === null);
    if (document.activeElement !== input || score !== null) input.value = score ?? 50;
    shown.textContent = score === null ? "–" : String(score);
    input.setAttribute("aria-valuetext", score === null ? "no score yet" : String(score));
  }

  drawHandles() {
    const { selection } = this;
    const isShown = Boolean(selection?.byTouch) && selection.start < selection.end;
    for (const handle of this.handles) handle.hidden = !isShown;
    if (!isShown) return;
    const rects = this.rectsOf(selection.side, selection.start, selection.end);
    const box = this.handles[0].parentElement.getBoundingClientRect();
    const isRtl = this.texts[selection.side].dir === "rtl";
    for (const [at, handle] of this.handles.entries()) {
      const rect = at ? rects.at(-1) : rects[0];
      if (!rect) continue;
      handle.style.left = `${(Boolean(at) === isRtl ? rect.left : rect.right) - box.left}px`;
      handle.style.top = `${rect.bottom - box.top}px`;
    }
  }

  close() {
    this.outbox.close();
    this.keyboard.close();
    this.clock.close();
  }
}

const pens = new WeakMap();
export default ({ parentElement, data, setStateValue }) => {
  const place = parentElement.querySelector(".bs-pen-place");
  const pen = pens.get(parentElement) ?? new Pen(place);
  pens.set(parentElement, pen);
  pen.update(data, (letter) => setStateValue("letter", letter));
  if (pen.root.parentElement !== place) place.replaceChildren(pen.root);
  return () => setTimeout(() => { // it is called for what newer data replaced, too
    if (parentElement.isConnected) return;
    pen.close();
    pens.delete(parentElement);
  });
};
