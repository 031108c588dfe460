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
