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
