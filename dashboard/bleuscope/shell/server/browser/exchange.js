// A and B are exchanged on the screen as soon as that is asked for, where the page says that it will be drawn so: their
// lines change places and signs, and differences change theirs. The texts of an open segment with B as A came with it,
// in a template. What is drawn then takes the place of all this.
const EXCHANGED = ".bs-row[data-exchanged]", DRAWN_WITHIN = 3_000, LOOKED_EVERY = 100, FOLLOWS_AFTER = 150; // milliseconds
let firstSide = null, exchangedAt = 0, isWatching = false, openBefore = null;
const otherSign = (sign) => (sign === "+" ? "−" : "+");
const exchangeRow = (row, names) => {
  const all = [...row.querySelectorAll(".bs-side")], places = { A: 1, B: 2 };
  const pair = all.filter((one) => one.textContent in places); // none where equal outputs stand on one line
  const looks = pair.map((one) => [one.textContent, one.style.borderColor]).reverse();
  row.dataset.a = row.dataset.a === names.a ? names.b : names.a;
  for (const [index, side] of pair.entries()) [side.textContent, side.style.borderColor] = looks[index];
  for (const { parentElement: sign, textContent: letter } of all) { // nothing is moved, which takes a browser long
    for (let one = sign, n = 0; n < 3; one = one.nextElementSibling, n += 1) one.style.order = places[letter] ?? 3;
    if (letter === "A=B") sign.title = row.dataset.a;
  }
  for (const number of row.querySelectorAll(".bs-signed")) {
    number.textContent = number.textContent.replace(/[+−]/, otherSign);
  }
  row.toggleAttribute("data-exchanged");
};
const exchangeRows = (rows, names) => {
  for (const row of rows) if (row.isConnected && row.dataset.a !== firstSide) exchangeRow(row, names);
};
const endOpen = () => {
  const { texts, shown, of } = openBefore ?? {};
  openBefore = null;
  if (texts?.isConnected && texts.firstChild === shown) texts.replaceChildren(...of);
};
const exchangeOpen = () => {
  const texts = document.querySelector(".st-key-open-segment .bs-reading");
  const then = heldIn(document.querySelector(".bs-exchanged-open")).firstElementChild;
  if (!texts || !then) return;
  openBefore = { texts, of: [...texts.childNodes], shown: then.firstChild };
  texts.replaceChildren(...then.childNodes);
};
const endExchange = (names) => { // what was not drawn in all this time is as it was
  const left = document.querySelectorAll(EXCHANGED);
  const isAtRest = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning";
  isWatching = left.length > 0 && !(isAtRest && performance.now() - exchangedAt > DRAWN_WITHIN);
  if (isWatching) {
    setTimeout(endExchange, LOOKED_EVERY, names);
  } else if (left.length) {
    for (const row of left) exchangeRow(row, names);
    endOpen();
  }
};
const exchange = () => {
  const found = document.querySelector(".bs-exchanged-as")?.dataset;
  const slices = found?.slices.split(" "), isSure = (row) => slices?.includes(row.parentElement.dataset.slice ?? String(sliceOf(list?.open)));
  const rows = [...document.querySelectorAll(".st-key-reading .bs-row")].filter((row) => row.matches(".bs-opened") || isSure(row));
  if (!found || !rows.length || wasThere) return;
  const names = { ...found }, isSeen = (box) => box.bottom > 0 && box.top < innerHeight;
  const seen = new Set(rows.filter((row) => isSeen(row.getBoundingClientRect())));
  firstSide = rows[0].dataset.a === names.a ? names.b : names.a;
  exchangeRows(seen, names);
  endOpen();
  if (firstSide === names.b) exchangeOpen(); // else what is there was exchanged, or is drawn already and the rest is not
  const follow = () => exchangeRows(rows, names); // what is out of sight, unless it is drawn by then
  setTimeout(follow, FOLLOWS_AFTER);
  addEventListener("scroll", follow, { capture: true, once: true, signal: AbortSignal.timeout(FOLLOWS_AFTER) });
  exchangedAt = performance.now();
  if (!isWatching) endExchange(names);
};
