// What scrolls by itself is reached with the Tab key, and moved with the arrow keys, but only while it has to scroll.
const SCROLLING = "pre, .table-wrapper";

function makeReachable() {
  for (const one of document.querySelectorAll(SCROLLING)) {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
  }
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "Pages");
  document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
  makeReachable();
  addEventListener("resize", makeReachable);
});
