// What the browser does for the person who reads: it goes back with one press, asks before work that was not saved is
// left, and lets nothing be pressed that belongs to a session which has ended. Runs before Streamlit does.
(() => {
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
    const isConnected = app.testConnectionState === "CONNECTED", isAtRest = app.testScriptState === "notRunning";
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
