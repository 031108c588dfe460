// The rows of pages are landmarks with names. Each is one stop of the keyboard, in which the arrow keys move, and so is
// the list of segments: the first text of a page is a few stops away, and what stands behind the list too.
const NAMED_ROWS = new Map([[".st-key-row", "Pages"], [".st-key-sections", "Parts of this page"]]);
const LIST = ".st-key-reading-list", GROUPS = [...NAMED_ROWS.keys(), LIST].join();
const NAMELESS = new Map([[".st-key-swap button", "Swap A and B"]]); // what shows a sign alone
const SCROLLERS = ":is(.st-key-pages, .st-key-more-pages, .st-key-sections):not([tabindex])";
const MOVES = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const stopsIn = (group) => {
  if (group.matches(LIST)) return [...group.querySelectorAll(".bs-row:not([hidden]) .bs-head")];
  return [...group.querySelectorAll("a")].filter((one) => one.offsetParent !== null);
};
const setStop = (stops, chosen) => {
  for (const one of stops) {
    const wanted = one === chosen ? "0" : "-1";
    if (one.getAttribute("tabindex") !== wanted) one.setAttribute("tabindex", wanted);
  }
};
const nameRows = () => {
  for (const [selector, name] of NAMED_ROWS) {
    const row = document.querySelector(selector);
    if (!row) continue;
    if (row.getAttribute("role") !== "navigation") {
      row.setAttribute("role", "navigation");
      row.setAttribute("aria-label", name);
    }
  }
  for (const group of document.querySelectorAll(GROUPS)) {
    const stops = stopsIn(group), is = (test) => stops.find(test);
    const chosen = is((one) => one === document.activeElement) ?? is((one) => one.ariaCurrent);
    setStop(stops, chosen ?? is((one) => group.matches(LIST) && one.getAttribute("tabindex") === "0") ?? stops[0]);
  }
  for (const [selector, name] of NAMELESS) {
    for (const one of document.querySelectorAll(`${selector}:not([aria-label])`)) one.setAttribute("aria-label", name);
  }
  for (const one of document.querySelectorAll('[class*="st-key-read-all-"] button:not([aria-label])')) {
    const kind = one.closest('[class*="st-key-kind-bar-"]')?.querySelector(".bs-kind > span");
    if (kind) one.setAttribute("aria-label", `Read all: ${kind.textContent}`); // three buttons of one name, else
  }
  for (const one of document.querySelectorAll(SCROLLERS)) one.setAttribute("tabindex", "-1"); // no stops of their own
  document.querySelector("[data-testid=stMain][tabindex='0']")?.setAttribute("tabindex", "-1"); // a skip link leads there
};
let isResting = true, isDue = false;
const nameSoon = () => { // once in a frame, and not while a page is drawn: what is read here makes the browser lay it out
  if (isDue || !isResting) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    nameRows();
  });
};
watchers.push(({ isAtRest }) => {
  isResting = isAtRest;
  nameSoon();
});
new MutationObserver(nameSoon).observe(document, {
  subtree: true, childList: true, attributeFilter: ["aria-current"],
});
document.addEventListener("keydown", (event) => {
  const group = event.target.closest?.(GROUPS);
  const step = MOVES[event.key];
  if (!group || !step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const stops = stopsIn(group), place = stops.indexOf(event.target.closest("a, button, .bs-head"));
  if (place < 0) return;
  const next = stops[(place + step + stops.length) % stops.length];
  event.preventDefault();
  event.stopPropagation();
  setStop(stops, next);
  next.focus();
}, true);
