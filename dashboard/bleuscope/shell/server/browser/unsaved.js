// What was typed and not sent yet is known here alone; what was sent is marked by the page where it is not kept.
let isTyping = false;
document.addEventListener("input", (event) => {
  if (event.target.closest?.(".st-key-segment-note")) isTyping = true;
}, true);
for (const sent of ["focusout", "keydown"]) {
  document.addEventListener(sent, (event) => {
    if (sent === "focusout" || event.key === "Enter") isTyping = false;
  }, true);
}
document.addEventListener("click", (event) => {
  if (event.target.closest?.(".st-key-save_notes, .st-key-delete_kept")) isTyping = false;
}, true);
window.addEventListener("beforeunload", (event) => {
  if (isTyping || document.querySelector(".bs-unsaved")) event.preventDefault();
});
