// Two buttons in the menu of every chart: a PNG and an SVG, each as wide as the column of a paper and on white.
//
// Plotly has one such button, whose settings hold one format and no colours. Here it stays what makes the picture;
// it is only told, for the time of one click, what to make. Without this script the chart keeps Plotly's button.
// And the drawing is hidden from whoever hears the page.
(() => {
  if (window.bleuscopePictures) return;
  window.bleuscopePictures = true;

  const WIDTH = 321; // 85 mm at 96 pixels an inch
  const SHRINK = 0.74; // of heights and letters: those of the screen come out at 6 to 9 points
  const LEAST_HEIGHT = 180;
  const LEGEND_COLUMNS = 2, SCREEN_LEGEND_COLUMNS = 3, LEGEND_ROW = 19;
  const PIXELS = 4; // of a PNG for each of these: 384 an inch
  const INK = "#22282e", RULE = "#d5d9dd", PAPER = "#ffffff";
  const FONT = "Arial, Helvetica, sans-serif"; // a picture has no fonts of the page; letters as wide as were measured
  let isOurClick = false;

  const walk = (value, change) => {
    for (const [key, inner] of Object.entries(value ?? {})) {
      if (inner && typeof inner === "object") walk(inner, change);
      else value[key] = change(key, inner);
    }
  };

  // The colours of the theme stand in the template; those of the chart itself suit both themes and stay.
  const printed = (layout) => {
    const copy = structuredClone(layout);
    const theme = copy.template?.layout ?? {};
    const inks = [theme.font?.color, theme.legend?.font?.color, theme.title?.font?.color, theme.title?.subtitleColor];
    const rules = [theme.xaxis?.gridcolor, theme.xaxis?.zerolinecolor, theme.yaxis?.gridcolor];
    walk(copy.template, (key, value) => {
      if (typeof value !== "string" || !value) return value;
      if (rules.includes(value)) return RULE;
      if (inks.includes(value)) return INK;
      return value === theme.paper_bgcolor ? PAPER : value;
    });
    walk(copy, (key, value) => {
      if (key === "size" && typeof value === "number") return value * SHRINK;
      if (key === "family") return FONT;
      return key === "tickangle" ? "auto" : value; // there is less room: labels that would meet are turned
    });
    copy.font = { ...copy.font, family: FONT };
    copy.legend = { ...copy.legend, entrywidthmode: "fraction", entrywidth: 1 / LEGEND_COLUMNS };
    copy.paper_bgcolor = copy.plot_bgcolor = PAPER;
    return copy;
  };

  // A legend in two columns instead of the screen's three has more rows.
  const heightOf = (chart) => {
    const { height = 340, showlegend } = chart._fullLayout ?? {};
    const entries = showlegend ? chart._fullData.filter((one) => one.showlegend && one.visible !== false).length : 0;
    const rows = Math.ceil(entries / LEGEND_COLUMNS) - Math.ceil(entries / SCREEN_LEGEND_COLUMNS);
    return Math.max(LEAST_HEIGHT, Math.round(height * SHRINK + rows * LEGEND_ROW));
  };

  const save = (button, format) => {
    const chart = button.closest(".js-plotly-plot");
    const { _context: context, layout } = chart;
    const options = context.toImageButtonOptions;
    const size = { width: WIDTH, height: heightOf(chart), scale: format === "png" ? PIXELS : 1 };
    context.toImageButtonOptions = { ...options, format, ...size };
    chart.layout = printed(layout);
    isOurClick = true;
    try {
      button.click(); // copies what it draws before it returns
    } finally {
      isOurClick = false;
      chart.layout = layout;
      context.toImageButtonOptions = options;
    }
  };

  const labelled = (button, format, chart) => {
    const title = `Picture as ${format.toUpperCase()}, 85 mm wide`;
    button.dataset.bsPicture = format;
    button.dataset.title = title;
    button.setAttribute("aria-label", chart ? `${title}: ${chart}` : title);
    const name = document.createElement("span");
    name.className = "bs-picture";
    name.textContent = format.toUpperCase();
    button.replaceChildren(name);
  };

  const addButtons = () => {
    for (const button of document.querySelectorAll('.modebar-btn[data-title^="Download plot"]')) {
      const second = button.cloneNode(true), chart = button.closest('[role="figure"]')?.getAttribute("aria-label");
      labelled(button, "png", chart);
      labelled(second, "svg", chart);
      button.after(second);
    }
  };

  // A chart is a figure with a name, and its numbers stand in a table: those of its axes, one by one, say less.
  const silence = () => {
    for (const drawing of document.querySelectorAll(".js-plotly-plot .main-svg:not([aria-hidden])")) {
      drawing.setAttribute("aria-hidden", "true");
    }
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-bs-picture]");
    if (!button || isOurClick) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const maker = button.parentElement.querySelector('[data-bs-picture="png"]');
    save(maker, button.dataset.bsPicture);
  }, true);

  let isDue = false;
  new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      addButtons();
      silence();
    });
  }).observe(document.body, { childList: true, subtree: true });
  addButtons();
  silence();
})();
