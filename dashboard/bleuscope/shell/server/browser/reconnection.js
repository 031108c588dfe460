// From a connection that is there again until the page is drawn anew, what stands on it may be of a session that
// has ended: its buttons would do nothing.
const DRAWN_WITHIN = 3_000; // milliseconds, unless the page is being drawn
let wasCut = false, waits = null;
const release = () => {
  clearTimeout(waits);
  waits = null;
  document.body.inert = false;
};
watchers.push(({ isConnected, isAtRest }) => {
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
});
