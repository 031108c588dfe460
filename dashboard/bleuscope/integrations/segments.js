// The segments of a study in a notebook. Python writes the HTML of a segment and escapes its texts; what this script
// adds itself it adds as text.

const ORDERS = ["Largest difference first", "B wins first", "A wins first", "Order of the test set"];

function ordered(values, order) {
  const places = values.map((_, place) => place);
  const key = [
    (place) => -Math.abs(values[place]),
    (place) => -values[place],
    (place) => values[place],
    (place) => place,
  ][order];
  return places.sort((one, other) => key(one) - key(other) || one - other);
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function render({ model, el }) {
  const root = el.attachShadow({ mode: "open" });
  const frame = element("section", "", { "aria-label": "Segments", tabindex: "0" });
  const style = element("style", model.get("styles") + BAR);
  const bar = element("div", "", { class: "bar" });
  const previous = element("button", "Previous", { type: "button", "aria-keyshortcuts": "k" });
  const next = element("button", "Next", { type: "button", "aria-keyshortcuts": "j" });
  const order = element("select", "", { "aria-label": "Order" });
  const place = element("output", "", { "aria-live": "polite" });
  const legend = element("div", "");
  const body = element("div", "");
  const choices = model.get("names").length > 1 ? ORDERS : ["Highest score first", "Highest score first", "Lowest score first", ORDERS[3]];
  choices.forEach((words, index) => {
    if (index > 0 || choices === ORDERS) order.append(element("option", words, { value: String(index) }));
  });
  legend.innerHTML = model.get("legend");
  bar.append(previous, next, order, place);
  frame.append(bar, legend, body);
  root.append(style, frame);

  let places = ordered(model.get("values"), Number(order.value));

  function show() {
    const segment = model.get("segment");
    const index = places.indexOf(segment);
    const value = model.get("values")[segment];
    const sign = model.get("names").length > 1 && value > 0 ? "+" : "";
    const number = (sign + value.toFixed(2)).replace("-", "−");
    place.textContent = `Segment ${segment + 1} (${index + 1} of ${places.length}), ${model.get("value_name")} ${number}`;
    previous.disabled = index <= 0;
    next.disabled = index >= places.length - 1;
    body.innerHTML = model.get("html");
  }

  function go(steps) {
    const wanted = places[places.indexOf(model.get("segment")) + steps];
    if (wanted === undefined) return;
    model.set("segment", wanted);
    model.save_changes();
  }

  previous.addEventListener("click", () => go(-1));
  next.addEventListener("click", () => go(1));
  order.addEventListener("change", () => {
    places = ordered(model.get("values"), Number(order.value));
    if (places[0] === model.get("segment")) show();
    else go(-places.indexOf(model.get("segment")));
  });
  frame.addEventListener("keydown", (event) => {
    const steps = { j: 1, k: -1 }[event.key];
    if (steps === undefined || event.target === order || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    go(steps);
  });
  model.on("change:html", show);
  show();
  return () => model.off("change:html", show);
}

const BAR = `
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin-bottom: 0.5rem; }
.bar button, .bar select { font: inherit; color: inherit; background: transparent; border: 1px solid currentColor; border-radius: 4px; padding: 0.2rem 0.6rem; }
.bar button:disabled { opacity: 0.45; }
.bar select option { color: CanvasText; background: Canvas; }
section:focus-visible, .bar :focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
`;

export default { render };
