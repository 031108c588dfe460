// A text is copied by the button beside it. Where the address is not a safe one browsers have no clipboard: the text is
// selected then, and copied the old way.
const COPIED_FOR = 2_000; // milliseconds
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.(".bs-copy"), text = button?.parentElement.querySelector("pre");
  if (!text) return;
  let isCopied = true;
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text.textContent).catch(() => isCopied = false);
  } else {
    getSelection().selectAllChildren(text);
    isCopied = document.execCommand("copy");
  }
  const said = button.nextElementSibling;
  button.textContent = said.textContent = isCopied ? "Copied" : "Not copied: select the text";
  setTimeout(() => [button.textContent, said.textContent] = ["Copy", ""], COPIED_FOR);
});
