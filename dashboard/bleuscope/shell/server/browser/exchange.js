// A and B are exchanged on the screen as soon as that is asked for, where the page says that it will be drawn so: their
// lines change places and signs, and differences change theirs. What is drawn then takes the place of these rows.
const EXCHANGED = ".bs-row[data-exchanged]", DRAWN_WITHIN = 3_000, LOOKED_EVERY = 100; // milliseconds
let exchangedAt = 0, isWatching = false;
const otherSign = (sign) => (sign === "+" ? "−" : "+");
const exchangeRow = (row, names) => {
  const all = [...row.querySelectorAll(".bs-side")], places = { A: 1, B: 2 };
  const pair = all.filter((one) => one.textContent in places); // none where equal outputs stand on one line
  const looks = pair.map((one) => [one.textContent, one.style.borderColor]).reverse();
  for (const [index, side] of pair.entries()) [side.textContent, side.style.borderColor] = looks[index];
  for (const { parentElement: sign, textContent: letter } of all) { // nothing is moved, which takes a browser long
    for (let one = sign, n = 0; n < 3; one = one.nextElementSibling, n += 1) one.style.order = places[letter] ?? 3;
    if (letter === "A=B") sign.title = sign.title === names.a ? names.b : names.a;
  }
  for (const number of row.querySelectorAll(".bs-signed")) {
    number.textContent = number.textContent.replace(/[+−]/, otherSign);
  }
  row.toggleAttribute("data-exchanged");
};
const endExchange = (names) => { // what was not drawn in all this time is as it was
  const left = document.querySelectorAll(EXCHANGED);
  const isAtRest = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning";
  isWatching = left.length > 0 && !(isAtRest && performance.now() - exchangedAt > DRAWN_WITHIN);
  if (isWatching) setTimeout(endExchange, LOOKED_EVERY, names);
  else for (const row of left) exchangeRow(row, names);
};
const exchange = () => {
  const found = document.querySelector(".bs-exchanged-as")?.dataset;
  if (!found || wasThere) return;
  const names = { ...found }, seen = [], others = [];
  for (const row of document.querySelectorAll(".st-key-reading .bs-row")) {
    const { top, bottom } = row.getBoundingClientRect();
    (bottom > 0 && top < innerHeight ? seen : others).push(row);
  }
  for (const row of seen) exchangeRow(row, names);
  requestAnimationFrame(() => setTimeout(() => { // once these are on the screen
    for (const row of others) if (row.isConnected) exchangeRow(row, names);
  }));
  exchangedAt = performance.now();
  if (!isWatching) endExchange(names);
};
