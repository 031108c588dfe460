// What else narrows the list down, and what is shown of segments, stands in a drawer next to the texts, or in a sheet on
// a phone. It is there all the time, so that it opens at once.
const IS_OPEN = "bleuscope-drawer", root = document.documentElement, PHONES = matchMedia("(max-width: 768px)");
const isThere = () => document.querySelector(".st-key-drawer") !== null;
const tellButtons = () => {
  for (const one of document.querySelectorAll(".bs-drawer-button")) one.ariaExpanded = root.hasAttribute("data-drawer");
};
const setDrawer = (isOpen) => {
  const hadFocus = document.querySelector(".st-key-controls")?.contains(document.activeElement);
  root.toggleAttribute("data-drawer", isOpen);
  if (!PHONES.matches) sessionStorage.setItem(IS_OPEN, isOpen);
  tellButtons();
  const [closers, openers] = [".bs-drawer-close", ".bs-drawer-button"].map((one) => [...document.querySelectorAll(one)]);
  if (isOpen) closers.find((one) => one.checkVisibility())?.focus({ preventScroll: true });
  else if (hadFocus) openers.find((one) => one.checkVisibility())?.focus();
};
if (location.protocol.startsWith("http")) {
  root.toggleAttribute("data-drawer", !PHONES.matches && sessionStorage.getItem(IS_OPEN) === "true");
}
document.addEventListener("click", (event) => {
  if (event.target.closest?.(".bs-drawer-button")) setDrawer(!root.hasAttribute("data-drawer"));
  else if (event.target.closest?.(".bs-drawer-close")) setDrawer(false);
  else if (event.target.closest?.(".bs-jump")) document.querySelector(".st-key-whole")?.scrollIntoView();
});
document.addEventListener("keydown", (event) => {
  const keys = document.querySelector(".bs-keys")?.dataset;
  if (!isThere() || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === "Escape" && event.target.closest?.(".st-key-drawer")) setDrawer(false);
  if (!keys || event.target.closest?.(TYPED)) return;
  if (event.key === keys.drawer) setDrawer(!root.hasAttribute("data-drawer"));
  if (event.key === keys.help) {
    setDrawer(true);
    document.querySelector(".st-key-key_help")?.scrollIntoView();
  }
  if (event.key === keys.find) {
    event.preventDefault();
    document.querySelector(".st-key-find input")?.focus();
  }
});
watchers.push(({ isAtRest }) => {
  if (isAtRest) tellButtons();
});
