// The open page is bold in the row of pages. Who hears the page is told too, and where the row scrolls it is in view.
let isDue = false, marked = null;
const bringIntoView = (link) => {
  const row = link.closest(".st-key-pages, .st-key-more-pages, .st-key-sections"), [inner, outer] = [link, row].map((one) => one.getBoundingClientRect());
  row.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
};
const markOpenPage = () => {
  isDue = false;
  for (const link of document.querySelectorAll(":is(.st-key-row, .st-key-sections) a")) {
    const isOpen = link.querySelector("strong") !== null;
    if (isOpen === link.hasAttribute("aria-current")) continue;
    if (isOpen) {
      link.setAttribute("aria-current", "page");
      bringIntoView(marked = link);
    } else {
      link.removeAttribute("aria-current");
    }
  }
};
new MutationObserver(() => {
  if (!isDue) requestAnimationFrame(markOpenPage);
  isDue = true;
}).observe(document, { subtree: true, childList: true });
watchers.push(({ isAtRest }) => { // the row grows until all its links have their letters
  if (!isAtRest || marked === null) return;
  const link = marked;
  marked = null;
  document.fonts.ready.then(() => link.isConnected && bringIntoView(link));
});
