// A list of any length: the browser has a box for each slice of it, and asks for the rows of those that come near. They
// arrive in parcels. Rows stand above or beneath the open segment; what is far away keeps its height and not its rows.
const ROW_HEIGHT = 92, NEAR = "100% 0px", MOST_FILLED = 15, MOST_ASKED = 3, ROWS_WITHIN = 3_000, TRIES_AGAIN = 200, SETTLES_AFTER = 150;
const [hosts, parcels, [placed]] = [["bs-above", "bs-beneath"], ["bs-parcel"], ["bs-place"]].map((names) =>
  names.map((name) => document.getElementsByClassName(name)));
let list = null; // { name, since, order, found, open, boxes, rest, above, beneath, height }
const [taken, near] = [new WeakSet(), new Set()];
let awaited = null, askAgain = null, isCalm = true, observer = null;
const place = () => {
  const found = placed[0]?.dataset;
  return found && { open: Number(found.place), found: Number(found.found) };
};
const sliceOf = (at) => (at ? Math.floor((at - 1) / list.size) : Infinity);
const placeOf = (row) => Number(row.dataset.place);
const isFilled = (box) => box.rows !== null && !box.isOld;
const estimate = (box) => {
  const n = Math.min(list.size, list.found - box.number * list.size);
  box.host.style.height = box.rows ? "" : `${box.height ?? n * list.height}px`;
};
const decorate = (rows) => { // with what a reader said of them
  const tags = new Map(list.tags ? list.tags.split("\n").map((one) => one.split("\t")) : []);
  for (const row of rows) {
    const head = row.querySelector(".bs-head"), tag = tags.get(row.dataset.place);
    if (tag) head.dataset.tag = tag;
    else delete head.dataset.tag;
  }
};
const put = (host, rows) => { // what is there already stays: each row that moves is styled and laid out anew
  const wanted = new Set(rows);
  for (const one of [...host.children]) if (!wanted.has(one)) one.remove();
  rows.forEach((row, at) => {
    if (host.children[at] !== row) host.insertBefore(row, host.children[at] ?? null);
  });
};
const fill = (box) => { // its rows on both sides of the open segment
  const isSplit = box.number === sliceOf(list.open), rows = box.rows ?? [];
  put(box.host, isSplit ? rows.filter((row) => placeOf(row) < list.open) : rows);
  if (isSplit) put(list.rest, rows.filter((row) => placeOf(row) > list.open));
  estimate(box);
};
const empty = (box) => {
  box.height = box.host.offsetHeight;
  box.rows = null;
  fill(box);
};
const arrange = (open) => {
  const before = sliceOf(list.open), now = sliceOf(open);
  list.open = open;
  const [lower, upper] = [Math.min(before, now), Math.max(before, now)];
  const moved = list.boxes.slice(lower === Infinity ? list.boxes.length : lower + 1, upper === Infinity ? undefined : upper + 1);
  if (now < before) list.rest.after(...moved.map((box) => box.host));
  else list.above.append(...moved.map((box) => box.host));
  for (const box of new Set([list.boxes[before], list.boxes[now]])) if (box) fill(box);
  if (!list.boxes[now]) put(list.rest, []);
};
const begin = (parcel) => { // another list; rows that only look different now stay until the new ones are there
  const { list: name, order, found } = parcel.dataset, [[above], [beneath]] = hosts;
  const isSame = list !== null && list.order === order && list.above === above && list.beneath === beneath;
  if (isSame) {
    list.name = name;
    for (const box of list.boxes) box.isOld = box.rows !== null;
    return;
  }
  const isAnother = list !== null && list.above === above && list.order !== order;
  const size = Number(above.dataset.sliceRows), height = list?.height ?? ROW_HEIGHT;
  list = { name, order, found: Number(found), open: 0, above, beneath, size, height, isMeasured: false };
  list.tags = placed[0]?.dataset.tags ?? "";
  observer?.disconnect();
  near.clear();
  observer = new IntersectionObserver(look, { root: above.closest("[data-testid=stMain]"), rootMargin: NEAR });
  list.boxes = Array.from({ length: Math.ceil(list.found / size) }, (_, number) => {
    const host = document.createElement("div");
    [host.className, host.dataset.slice] = ["bs-slice", number];
    return { number, host, rows: null, isOld: false, height: null };
  });
  list.rest = document.createElement("div");
  for (const box of list.boxes) estimate(box);
  above.replaceChildren(...list.boxes.map((box) => box.host));
  beneath.replaceChildren(list.rest);
  for (const box of list.boxes) observer.observe(box.host);
  if (isAnother && above.getBoundingClientRect().top < 0) above.scrollIntoView({ block: "start" });
};
const look = (entries) => {
  if (list === null) return;
  for (const one of entries) {
    const number = Number(one.target.dataset.slice);
    if (one.isIntersecting) near.add(number);
    else near.delete(number);
  }
  const filled = list.boxes.filter((box) => box.rows !== null);
  const middle = near.size ? [...near].reduce((sum, one) => sum + one, 0) / near.size : 0;
  filled.sort((one, other) => Math.abs(other.number - middle) - Math.abs(one.number - middle));
  for (const box of filled.slice(0, Math.max(0, filled.length - MOST_FILLED))) {
    const isUsed = near.has(box.number) || box.number === sliceOf(list.open) || box.host.contains(document.activeElement);
    if (!isUsed) empty(box);
  }
  want();
};
const want = () => {
  const lacking = list === null ? [] : [...near].filter((number) => !isFilled(list.boxes[number])).sort((x, y) => x - y);
  clearTimeout(askAgain);
  if (!lacking.length) return;
  askAgain = setTimeout(want, TRIES_AGAIN); // once the page is drawn
  const isOnItsWay = awaited !== null && performance.now() - awaited < ROWS_WITHIN;
  if (isOnItsWay || !isCalm) return;
  const last = Math.min(lacking.at(-1), lacking[0] + MOST_ASKED - 1);
  if (request("_rows", `${lacking[0]}-${last}`)) awaited = performance.now();
};
const take = (parcel) => {
  taken.add(parcel);
  const since = Number(parcel.dataset.since);
  if (list !== null && since < list.since) return; // of an earlier list, drawn once more
  if (list === null || parcel.dataset.list !== list.name) begin(parcel);
  list.since = since;
  const box = list.boxes[Number(parcel.dataset.slice)];
  if (!box || isFilled(box)) return;
  [box.rows, box.isOld, box.height] = [[...parcel.content.cloneNode(true).children], false, null];
  decorate(box.rows);
  fill(box);
  awaited = null;
  if (!list.isMeasured && box.host.offsetHeight) {
    list.isMeasured = true;
    list.height = box.host.offsetHeight / Math.max(1, box.host.childElementCount);
    for (const other of list.boxes) if (!other.rows) estimate(other);
  }
  if (parcel.hasAttribute("data-asked")) requestAnimationFrame(() => box.host.scrollIntoView({ block: "start" }));
};
const settle = () => { // a row whose height is known keeps it where it is out of sight, and is not painted there
  const rows = (list?.boxes ?? []).flatMap((box) => box.rows ?? []).filter((row) => !row.matches(".bs-settled"));
  if (!rows.length) return;
  const { paddingTop, paddingBottom, borderTopWidth } = getComputedStyle(rows[0]);
  const around = [paddingTop, paddingBottom, borderTopWidth].reduce((sum, one) => sum + parseFloat(one), 0);
  const heights = rows.map((row) => row.getBoundingClientRect().height - around); // all are read before one is changed
  rows.forEach((row, at) => {
    if (heights[at] <= 0) return;
    row.style.containIntrinsicBlockSize = `auto ${heights[at]}px`;
    row.classList.add("bs-settled");
  });
};
const sync = () => {
  const [[above], [beneath]] = hosts;
  if (!above || !beneath) {
    list = null;
    return;
  }
  if (list !== null && (list.above !== above || list.beneath !== beneath || !list.rest.isConnected)) {
    list = null; // drawn anew
    for (const parcel of parcels[0]) taken.delete(parcel);
  }
  for (const parcel of [...parcels[0]]) if (!taken.has(parcel)) take(parcel);
  const tags = placed[0]?.dataset.tags ?? "", open = place()?.open ?? 0;
  if (list !== null && tags !== list.tags) {
    list.tags = tags;
    for (const box of list.boxes) if (box.rows) decorate(box.rows);
  }
  if (list !== null && open !== list.open) arrange(open <= list.found ? open : 0);
};
new MutationObserver(sync).observe(document, { subtree: true, childList: true });
watchers.push(({ isConnected, isAtRest }) => {
  if (!isConnected && list !== null) list.since = 0; // another session can answer, which counts anew
  isCalm = isAtRest;
  if (isAtRest) want();
  if (isAtRest) setTimeout(settle, SETTLES_AFTER);
});
