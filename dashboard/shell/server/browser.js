// What the browser does for the person who reads: it asks for the server where it is, goes back with one press, asks
// before work that was not saved is left, opens the segments that are pressed or gone to by keys, marks the open page,
// says aloud what an action led to, and lets nothing be pressed that belongs to a session which has ended. Runs before
// Streamlit does.
(() => {
  // Streamlit looks for its server beneath the address of the page first, where there is nothing: it is beside it.
  window.__streamlit = { BACKEND_BASE_URL: new URL("./", location.href).href };

  // A page is a place to come back to. What the program writes into its address, and where the bare address leads, is
  // not: Streamlit makes a place of each, and one would go back from a completed address to the one that is completed.
  const push = history.pushState.bind(history);
  history.pushState = (state, unused, url) => {
    const path = new URL(url ?? location.href, location.href).pathname;
    const isSamePlace = path === location.pathname || location.pathname.endsWith("/");
    (isSamePlace ? history.replaceState.bind(history) : push)(state, unused, url);
  };

  // What was typed and not sent yet is known here alone; what was sent is marked by the page until it is saved.
  let isTyping = false;
  document.addEventListener("input", (event) => {
    if (event.target.closest?.(".st-key-segment-note")) isTyping = true;
  }, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest?.(".st-key-save_notes, .st-key-delete_kept")) isTyping = false;
  }, true);
  window.addEventListener("beforeunload", (event) => {
    if (isTyping || document.querySelector(".bs-unsaved")) event.preventDefault();
  });

  // On a phone the sidebar lies over the page. What is asked for there and opens in the page would stay unseen.
  const PHONE = matchMedia("(max-width: 768px)"); // where Streamlit lays it over
  document.addEventListener("click", (event) => {
    if (PHONE.matches && event.target.closest?.(".st-key-rename")) {
      document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
    }
  });

  // Segments are asked for by their places, one question at a time: what is pressed while a page is on its way changes
  // where to go, and is asked for when that page is there. So no press is lost, however fast they come.
  const HEAD = ".bs-opened", MOST_TRIES = 3, LOOKS_EVERY = 30, SHOWN_AFTER = 150, ANSWERS_WITHIN = 3_000; // milliseconds
  let goal = null, asked = null, askedAt = 0, tries = 0, wasAt = null, shown = 0, listed = 1, presses = 0;
  const place = () => {
    const found = document.querySelector(".bs-place")?.dataset;
    return found && { open: Number(found.place), first: Number(found.first), found: Number(found.found) };
  };
  const top = () => document.querySelector(HEAD)?.getBoundingClientRect().top ?? null;
  const isSeen = (height) => height !== null && height > 0 && height < innerHeight / 2;
  const write = (key, text) => {
    const field = document.querySelector(`.st-key-${key} input`);
    if (!field) return false;
    presses += 1; // the same can be asked for twice
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, `${text}.${presses}`);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    setTimeout(() => field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })));
    return true;
  };
  const ask = () => {
    [asked, askedAt, wasAt] = [goal, performance.now(), top()];
    if (write("_go", goal)) setTimeout(look, LOOKS_EVERY);
    else asked = goal = null;
  };
  const scrollTo = (height, wanted) => document.querySelector("[data-testid=stMain]").scrollBy(0, height - wanted);
  const look = () => {
    const isThere = place()?.open === asked, isLate = performance.now() - askedAt > ANSWERS_WITHIN;
    if (!isThere && !isLate) {
      setTimeout(look, LOOKS_EVERY);
      return;
    }
    const height = top();
    if (isThere && height !== null && (wasAt !== null || !isSeen(height))) { // the open segment stays where it was
      scrollTo(height, isSeen(wasAt) ? wasAt : innerHeight / 6);
    }
    shown = place()?.open ?? 0;
    tries = isThere ? 0 : tries + 1;
    asked = null;
    if (place()?.open !== goal && tries < MOST_TRIES) ask();
    else goal = null;
  };
  const show = () => { // what a link opened is brought into sight, and the beginning of another page of the list
    const open = place()?.open ?? 0, first = place()?.first ?? 1, height = top();
    const list = document.querySelector(".st-key-reading-list")?.getBoundingClientRect().top ?? 0;
    if (open !== shown && asked === null && height !== null && !isSeen(height)) scrollTo(height, innerHeight / 6);
    else if (first !== listed && !open && list < 0) scrollTo(list, innerHeight / 6);
    [shown, listed] = [open, first];
  };
  const go = (wanted) => {
    goal = wanted;
    for (const row of document.querySelectorAll(".bs-row")) {
      row.classList.toggle("bs-asked", Number(row.dataset.place) === wanted);
    }
    if (asked === null) ask();
  };
  document.addEventListener("click", (event) => {
    const row = event.target.closest?.(".bs-row");
    if (!row || !getSelection().isCollapsed) return; // texts can be selected
    const elsewhere = row.closest("[class*=st-key-shown-segment]")?.querySelector(".stButton button"); // it opens there
    if (elsewhere) {
      elsewhere.click();
      return;
    }
    const isOpen = row.querySelector(".bs-head").ariaExpanded === "true";
    go(isOpen ? 0 : Number(row.dataset.place));
  });
  document.addEventListener("keydown", (event) => {
    const keys = document.querySelector(".bs-keys")?.dataset, now = place();
    const isTyped = event.target.closest?.("input, textarea, select, [contenteditable=true], [role=dialog]");
    if (!keys || !now || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { [keys.next]: 1, [keys.previous]: -1 }[event.key.toLowerCase()];
    if (event.key === keys.help && !event.repeat) {
      const button = document.querySelector(".st-key-key_help button");
      button?.scrollIntoView({ block: "center" });
      button?.click();
    }
    if (!step) return;
    event.preventDefault();
    const from = goal ?? now.open;
    go(from ? Math.min(Math.max(from + step, 1), now.found) : now.first);
  });

  // A range of bars of a small histogram is drawn over with the pointer, or one is clicked; it becomes a filter.
  let bars = null;
  const barOf = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(".bs-bars > span");
  const drawnOver = (bar) => [bars.from, [...bars.all].indexOf(bar)].sort((one, other) => one - other);
  document.addEventListener("pointerdown", (event) => {
    const bar = barOf(event), all = bar?.parentElement.children;
    bars = bar && { all, from: [...all].indexOf(bar), chart: bar.closest(".bs-brush").dataset.chart };
  });
  document.addEventListener("pointermove", (event) => {
    const bar = barOf(event);
    if (!bars || !bar || bar.parentElement.children !== bars.all) return;
    const [first, last] = drawnOver(bar);
    [...bars.all].forEach((one, place) => one.classList.toggle("bs-drawn-over", first <= place && place <= last));
  });
  document.addEventListener("pointercancel", () => bars = null);
  document.addEventListener("pointerup", () => {
    if (!bars) return;
    const marked = [...bars.all].map((one, place) => one.classList.contains("bs-drawn-over") ? place : -1);
    const [first, last] = [marked.find((place) => place >= 0) ?? bars.from, Math.max(bars.from, ...marked)];
    for (const one of bars.all) one.classList.remove("bs-drawn-over");
    write("_brush", `${bars.chart}:${first}:${last}`);
    bars = null;
  });

  // The open page is bold in the row of pages. Who hears the page is told too, and where the row scrolls it is in view.
  let isDue = false;
  const markOpenPage = () => {
    isDue = false;
    for (const link of document.querySelectorAll(".st-key-pages a")) {
      const isOpen = link.querySelector("strong") !== null;
      if (isOpen === link.hasAttribute("aria-current")) continue;
      if (isOpen) {
        link.setAttribute("aria-current", "page");
        const row = link.closest(".st-key-pages"), [inner, outer] = [link, row].map((one) => one.getBoundingClientRect());
        row.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
      } else {
        link.removeAttribute("aria-current");
      }
    }
  };
  new MutationObserver(() => {
    if (!isDue) requestAnimationFrame(markOpenPage);
    isDue = true;
  }).observe(document, { subtree: true, childList: true });

  // Whoever hears the page is told what each action led to, in one sentence: what is new of those that the page has
  // for that. The element that is listened to outlives every change of the page.
  const told = document.createElement("div");
  told.setAttribute("role", "status");
  told.className = "bs-unseen";
  const SETTLED = 150; // milliseconds without another run of the page
  let lastSaid = [], sayAt = null;
  const tell = () => {
    if (!told.isConnected) document.body.append(told);
    const said = [...document.querySelectorAll(".bs-said")].map((one) => one.textContent);
    const isNew = said.filter((one) => !lastSaid.includes(one));
    lastSaid = said;
    if (isNew.length) told.textContent = isNew.join(" ");
  };

  // The way past all controls to the texts; and away with an explanation that covers something.
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.(".bs-skip")) return;
    event.preventDefault();
    (document.querySelector(".bs-segment") ?? document.querySelector(".bs-head"))?.focus();
  }, true);
  document.addEventListener("keydown", (event) => {
    const focused = document.activeElement;
    if (event.key === "Escape" && focused.matches(".bs-run, abbr[title]")) focused.blur();
  });

  // From a connection that is there again until the page is drawn anew, what stands on it may be of a session that
  // has ended: its buttons would do nothing.
  const DRAWN_WITHIN = 3_000; // milliseconds, unless the page is being drawn
  let wasCut = false, waits = null;
  const release = () => {
    clearTimeout(waits);
    waits = null;
    document.body.inert = false;
  };
  const watch = () => {
    const app = document.querySelector("[data-testid=stApp]")?.dataset;
    if (!app) return;
    clearTimeout(sayAt);
    if (app.testScriptState === "notRunning") sayAt = setTimeout(tell, SETTLED);
    const isConnected = app.testConnectionState === "CONNECTED", isAtRest = app.testScriptState === "notRunning";
    if (isAtRest) setTimeout(show, SHOWN_AFTER);
    if (!isConnected) {
      wasCut ||= isAtRest;
      release();
    } else if (wasCut) {
      wasCut = false;
      document.body.inert = true;
      waits = setTimeout(release, DRAWN_WITHIN);
    } else if (waits !== null && !isAtRest) {
      clearTimeout(waits);
      waits = 0;
    } else if (waits === 0 && isAtRest) {
      release();
    }
  };
  new MutationObserver(watch).observe(document, {
    subtree: true,
    attributeFilter: ["data-test-connection-state", "data-test-script-state"],
  });
})();
