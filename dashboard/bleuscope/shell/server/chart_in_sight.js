// Streamlit's file of charts, 4.7 MB with Plotly, is loaded and executed once the first chart is in sight, or nearly, and the
// page is drawn; each chart is drawn then. Before that, a frame of the same height and name takes its place.
const MARGIN = "200px";
const RETRY_AFTER = 3000; // milliseconds
const STREAMLIT_CHART = import.meta.url.replace(/\?.*|$/, "?drawn");
let loading, Chart; // of Streamlit, once it is there
const waiting = new Set();

// An element as React makes it, without asking for React by a name that changes: its mark is that of the elements around.
const markAround = (fiber) => fiber && (fiber.pendingProps?.children?.$$typeof ?? markAround(fiber.return));
const element = (frame, type, props, ref = null) => ({
  $$typeof: markAround(frame._reactInternals) ?? Symbol.for("react.element"), type, key: null, ref, props, _owner: null,
});
const isRunning = () => document.querySelector("[data-testid=stApp]:not([data-test-script-state=notRunning])");
// For .5 s at most once Plotly is there, for 3 s where loading it would keep the page from being drawn.
const onceDrawn = (then, looks = Chart ? 5 : 30) => (looks && isRunning() ? setTimeout(onceDrawn, 100, then, looks - 1) : then());
const draw = (frame) => {
  loading ??= import(STREAMLIT_CHART).then((file) => (Chart = file.default));
  loading.then(
    () => waiting.delete(frame) && frame.updater.enqueueSetState(frame, { isDrawn: true }, null),
    () => {
      loading = undefined;
      if (waiting.has(frame)) setTimeout(draw, RETRY_AFTER, frame); // the connection may come back
    },
  );
};
addEventListener("beforeprint", () => waiting.forEach(draw));

export default class ChartInSight {
  constructor(props) {
    this.props = props;
    this.state = { isDrawn: false };
    this.put = (place) => (this.place = place ?? this.place);
  }
  componentDidMount() {
    waiting.add(this);
    this.observer = new IntersectionObserver(
      (seen) => seen.some((one) => one.isIntersecting) && (this.observer.disconnect(), onceDrawn(() => draw(this))),
      { root: this.place.closest("[data-testid=stMain]"), rootMargin: MARGIN },
    );
    this.observer.observe(this.place);
  }
  componentWillUnmount() {
    waiting.delete(this);
    this.observer.disconnect();
  }
  render() {
    if (this.state.isDrawn) return element(this, Chart, this.props);
    const name = this.props.element.alt?.trim();
    const props = { className: "bs-chart-ahead", role: name && "figure", "aria-label": name };
    return element(this, "div", props, this.put);
  }
}
ChartInSight.prototype.isReactComponent = {};
