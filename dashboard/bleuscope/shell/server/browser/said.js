// Whoever hears the page is told what each action led to, in one sentence: what is new of those that the page has
// for that. The element that is listened to outlives every change of the page.
const told = document.createElement("div");
told.setAttribute("role", "status");
told.className = "bs-unseen";
const SETTLED = 150; // milliseconds without another run of the page
let lastSaid = [], sayAt = null;
const tell = () => {
  if (!told.isConnected) document.body.append(told);
  const said = [...document.querySelectorAll(".bs-said")].map((one) => one.textContent);
  const isNew = said.filter((one) => !lastSaid.includes(one));
  lastSaid = said;
  if (isNew.length) told.textContent = isNew.join(" ");
};
watchers.push(({ isAtRest }) => {
  clearTimeout(sayAt);
  if (isAtRest) sayAt = setTimeout(tell, SETTLED);
});
