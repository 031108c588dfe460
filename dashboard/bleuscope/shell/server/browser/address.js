// Streamlit looks for its server beneath the address of the page first, where there is nothing: it is beside it.
window.__streamlit = { BACKEND_BASE_URL: new URL("./", location.href).href };

// A page is a place to come back to, and so is each set of segments, open segment and pair on it. What else the program
// writes into its address, and where the bare address leads, is not: Streamlit makes a place of each, and one would go
// back from a completed address to the one that is completed.
const [push, replace] = ["pushState", "replaceState"].map((name) => history[name].bind(history));
let isSettling = false; // what a step leads to belongs to it, and so does what going back leads to
let isReturning = false, restAt = null; // what a run for a place that was left by Back says of the address comes too late
let left = null; // the address of a page that is left: Streamlit takes most of it away before it goes to the other page
const namesTexts = (url) => url.searchParams.has("digest");
const steps = (url) => [...url.searchParams].filter(([key]) => STEPS.includes(key)).map(String).sort().join();
history.pushState = history.replaceState = (state, unused, url) => {
  const now = new URL(location.href), then = new URL(url ?? now, now);
  const isBare = now.pathname.endsWith("/"), isSamePlace = then.pathname === now.pathname || isBare;
  const isOther = isSamePlace && !isBare && steps(then) !== steps(now);
  const isShortened = isSamePlace && !isBare && namesTexts(now) && !namesTexts(then);
  if (isReturning && !isBare && namesTexts(now)) return; // a complete address is what one came back to
  const isStep = isOther && !isSettling && !isShortened && !readsOn.isDue;
  if (isOther) readsOn.isDue = false;
  isSettling ||= isStep;
  if (isShortened) left = now;
  if (left && !isSamePlace) {
    replace(state, unused, left); // one goes back to all that was chosen on it
    left = null;
  }
  (isSamePlace && !isStep ? replace : push)(state, unused, url);
};
const RETURNED = 200; // milliseconds at rest, in which the run of another step back would begin
addEventListener("popstate", () => {
  clearTimeout(restAt);
  [isSettling, isReturning, left] = [true, true, null];
}, true);
for (const act of ["pointerdown", "keydown"]) addEventListener(act, () => isReturning = false, true);
watchers.push(({ isAtRest }) => {
  clearTimeout(restAt);
  if (!isAtRest) return;
  [isSettling, left] = [false, null];
  restAt = setTimeout(() => isReturning = false, RETURNED);
});
