// Segments are asked for by their places, one question at a time: what is pressed while a page is on its way changes
// where to go, and is asked for when that page is there. So no press is lost, however fast they come.
const HEAD = ".bs-opened", MOST_TRIES = 3, LOOKS_EVERY = 30, SHOWN_AFTER = 150, LEAST_TOP = 60, ANSWERS_WITHIN = 3_000; // milliseconds
let firstWanted = null, swapAsked = null, swapAskedAt = 0;
let goal = null, asked = null, askedAt = 0, tries = 0, wasAt = null, shown = 0;
const top = () => document.querySelector(HEAD)?.getBoundingClientRect().top ?? null;
const isSeen = (height) => height !== null && height > 0 && height < innerHeight / 2;
const ask = () => {
  [asked, askedAt, wasAt] = [goal, performance.now(), top()];
  if (request("_go", goal)) {
    setTimeout(look, LOOKS_EVERY);
    showAhead(goal);
  } else {
    asked = goal = null;
  }
};
const scrollTo = (height, wanted) => document.querySelector("[data-testid=stMain]").scrollBy(0, height - wanted);
const look = () => {
  const isThere = place()?.open === asked, isLate = performance.now() - askedAt > ANSWERS_WITHIN;
  if (!isThere && !isLate) {
    setTimeout(look, LOOKS_EVERY);
    return;
  }
  endAhead(place()?.open ?? 0);
  sync();
  const height = top();
  if (isThere && height !== null && (wasAt !== null || !isSeen(height))) { // the open segment stays where it was
    scrollTo(height, isSeen(wasAt) ? wasAt : innerHeight / 6);
  }
  shown = place()?.open ?? 0;
  tries = isThere ? 0 : tries + 1;
  asked = null;
  if (place()?.open !== goal && tries < MOST_TRIES) {
    ask();
  } else {
    goal = null;
    setTimeout(focusField, SHOWN_AFTER);
  }
};
const show = () => { // what a link opened is brought into sight
  const open = place()?.open ?? 0, height = top();
  if (open !== shown && asked === null && height !== null && !isSeen(height)) scrollTo(height, innerHeight / 6);
  shown = open;
};
const firstSeen = () => { // the first row that can be read from its beginning
  const rows = [...document.querySelectorAll(".st-key-reading .bs-row")];
  const row = rows.find((one) => one.getBoundingClientRect().top > LEAST_TOP);
  return placeOf(row ?? rows.at(-1));
};
watchers.push(({ isAtRest }) => {
  if (isAtRest) setTimeout(show, SHOWN_AFTER);
});
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
  readsOn.isDue = false;
  go(isOpen ? 0 : Number(row.dataset.place));
});
let field = null; // of the open segment, in which one wants to write
let panel = null; // of the open segment, that one wants to open or close, by its key
const pressPanel = () => {
  const found = panel && document.querySelector(`.st-key-panel-${panel} button`);
  if (!found) return;
  panel = null;
  found.click();
};
const focusField = () => {
  pressPanel();
  const found = field && document.querySelector(`.st-key-segment-note ${field}`);
  if (!found) return;
  field = null;
  found.focus({ preventScroll: true });
  found.scrollIntoView({ block: "nearest" });
};
const shownFirst = () => document.querySelector(".bs-keys")?.dataset.pair?.split(" ")[0];
const askSwapped = () => { // one at a time, as segments are
  [swapAsked, swapAskedAt] = [firstWanted, performance.now()];
  if (request("_swap_by_key", swapAsked)) setTimeout(lookSwapped, LOOKS_EVERY);
  else swapAsked = firstWanted = null;
};
const lookSwapped = () => {
  const isAtRest = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning";
  const isThere = isAtRest && shownFirst() === swapAsked, isLate = performance.now() - swapAskedAt > ANSWERS_WITHIN;
  if (!isThere && !isLate) {
    setTimeout(lookSwapped, LOOKS_EVERY);
  } else if (firstWanted !== swapAsked) { // what was pressed meanwhile, however late the page is
    askSwapped();
  } else {
    swapAsked = firstWanted = null;
  }
};
const swap = (pair) => { // which of the two is to be A, seen from the last press as long as that is on its way
  firstWanted = (pair.includes(firstWanted) ? firstWanted : pair[0]) === pair[0] ? pair[1] : pair[0];
  exchange();
  if (swapAsked === null) askSwapped();
};
document.addEventListener("click", (event) => {
  if (event.target.closest?.(".st-key-swap button")) exchange();
});
document.addEventListener("keydown", (event) => {
  const keys = document.querySelector(".bs-keys")?.dataset, now = place();
  if (event.key === "Escape" && event.target.closest?.(".st-key-segment-note")) setTimeout(() => event.target.blur());
  if (!keys || !now || event.target.closest?.(TYPED) || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { [keys.next]: 1, [keys.previous]: -1 }[event.key.toLowerCase()];
  if (event.key.toLowerCase() === keys.swap && !event.repeat && keys.pair) swap(keys.pair.split(" "));
  const wanted = { [keys.tag]: "[role=combobox]", [keys.note]: "input[type=text]:not([role=combobox])" }[event.key];
  if (wanted && !event.repeat) {
    event.preventDefault();
    field = wanted;
    if (now.open || !document.querySelector(".st-key-reading .bs-row")) focusField();
    else go(firstSeen());
  }
  if (keys.panels.split(" ").includes(event.key.toLowerCase()) && !event.repeat) {
    event.preventDefault();
    panel = event.key.toLowerCase();
    if (now.open) pressPanel();
    else go(firstSeen());
  }
  if (event.key === keys.important && !event.repeat) request("_important", now.open || firstSeen());
  if (!step) return;
  event.preventDefault();
  const from = goal ?? now.open;
  readsOn.isDue = from > 0;
  go(from ? Math.min(Math.max(from + step, 1), now.found) : firstSeen());
});
