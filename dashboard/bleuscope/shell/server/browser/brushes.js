// A range of bars of a small histogram is drawn over with the pointer, or one is clicked; it becomes a filter.
let bars = null;
const barOf = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(".bs-bars > span");
const drawnOver = (bar) => [bars.from, [...bars.all].indexOf(bar)].sort((one, other) => one - other);
document.addEventListener("pointerdown", (event) => {
  const bar = barOf(event), all = bar?.parentElement.children;
  bars = bar && { all, from: [...all].indexOf(bar), chart: bar.closest(".bs-brush").dataset.chart };
});
document.addEventListener("pointermove", (event) => {
  const bar = barOf(event);
  if (!bars || !bar || bar.parentElement.children !== bars.all) return;
  const [first, last] = drawnOver(bar);
  [...bars.all].forEach((one, place) => one.classList.toggle("bs-drawn-over", first <= place && place <= last));
});
document.addEventListener("pointercancel", () => bars = null);
document.addEventListener("pointerup", () => {
  if (!bars) return;
  const marked = [...bars.all].map((one, place) => one.classList.contains("bs-drawn-over") ? place : -1);
  const [first, last] = [marked.find((place) => place >= 0) ?? bars.from, Math.max(bars.from, ...marked)];
  for (const one of bars.all) one.classList.remove("bs-drawn-over");
  request("_brush", `${bars.chart}:${first}:${last}`);
  bars = null;
});
// On a chart that can be clicked or drawn over Plotly takes the finger that scrolls the page; a tap stays a click.
document.addEventListener("touchstart", (event) => {
  if (event.target.closest?.(".js-plotly-plot")?._fullLayout?.dragmode) event.stopPropagation();
}, { capture: true, passive: true });
// Streamlit hears of no click on a chart that is drawn over: the point is asked for here.
document.addEventListener("click", (event) => {
  const chart = event.target.closest?.(".js-plotly-plot");
  const point = chart?._fullLayout?.dragmode === "select" && chart._hoverdata?.[0]?.customdata?.[0];
  if (Number.isInteger(point)) request("_point", point);
});
