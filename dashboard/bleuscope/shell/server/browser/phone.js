// On a phone the sidebar lies over the page. What is asked for there and opens in the page would stay unseen.
const PHONE = matchMedia("(max-width: 768px)"); // where Streamlit lays it over
document.addEventListener("click", (event) => {
  if (PHONE.matches && event.target.closest?.(".st-key-rename")) {
    document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
  }
});
