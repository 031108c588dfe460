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
