"use strict";
/* Draws the charts in the colours of the page, saves them as pictures, and keeps one for paper. */
(() => {
  const DATA = JSON.parse(document.getElementById("chart-data").textContent);
  const places = [...document.querySelectorAll(".rp-chart")];
  const COLUMN = 600; /* pixels of a picture, for one column of a paper */
  const HALF = 520, WHOLE = 760; /* pixels of a chart on paper, which is made as narrow as the page */
  const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
  const dark = matchMedia("(prefers-color-scheme: dark)");

  function template(isDark, size) {
    const ink = isDark ? "#dfe5ec" : "#27313f";
    const grid = isDark ? "#2f3843" : "#e3e7ec";
    const axis = {
      gridcolor: grid, linecolor: isDark ? "#5b6774" : "#9aa5b1", zerolinecolor: isDark ? "#7b8794" : "#8894a1",
      zerolinewidth: 1, ticks: "", title: {standoff: 10, font: {size}},
    };
    return {layout: {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: {family: FONT, size, color: ink},
      xaxis: axis, yaxis: axis, colorway: ["#0072B2"],
      hoverlabel: {bgcolor: isDark ? "#2a333e" : "#ffffff", font: {color: ink, family: FONT}},
    }};
  }

  /* On a narrow screen letters are smaller, and the numbers at the ends of bars need more room beside the plot. */
  function layout(figure, isDark, more) {
    const own = structuredClone(figure.layout), isNarrow = innerWidth < 640 && !more?.paper_bgcolor;
    if (isNarrow) own.margin.r = Math.max(own.margin.r, 40);
    return {...own, template: template(isDark, isNarrow ? 9 : 13), ...more};
  }

  /* A picture is always dark on white, and its width does not hang on the window. */
  function picture(figure, format, width, scale) {
    const drawn = {data: structuredClone(figure.data), layout: layout(figure, false, {paper_bgcolor: "#ffffff"})};
    return Plotly.toImage(drawn, {format, width, height: figure.layout.height, scale});
  }

  async function save(figure, key, format) {
    const link = document.createElement("a");
    link.href = await picture(figure, format, COLUMN, format === "png" ? 4 : 1);
    link.download = `${key}.${format}`;
    link.click();
  }

  /* The figure has a name that says what it shows, and a table: numbers of axes read one by one say less. */
  function hide(plot) {
    for (const drawing of plot.querySelectorAll(".main-svg")) drawing.setAttribute("aria-hidden", "true");
  }

  const on_paper = (place) => place.parentElement.classList.contains("rp-alone") ? WHOLE : HALF;

  function add_printed(place, paper) {
    paper.classList.add("rp-printed");
    place.querySelector(".rp-plot").after(paper);
    place.classList.add("rp-has-printed");
  }

  /* The browser does not wait here: what Plotly draws at once is drawn, and of what cannot be drawn yet the numbers are shown. */
  function draw_for_paper(place) {
    if (typeof Plotly === "undefined") throw new Error("not unpacked yet");
    const figure = DATA[place.dataset.chart], width = on_paper(place), sheet = document.createElement("div");
    sheet.style.cssText = "position: absolute; left: -10000px";
    document.body.append(sheet);
    const size = {paper_bgcolor: "#ffffff", width, height: figure.layout.height};
    Plotly.newPlot(sheet, structuredClone(figure.data), layout(figure, false, size), {staticPlot: true}).finally(() => sheet.remove());
    const drawn = new DOMParser().parseFromString(Plotly.Snapshot.toSVG(sheet, "svg", 1), "image/svg+xml").documentElement;
    drawn.setAttribute("viewBox", `0 0 ${width} ${figure.layout.height}`);
    drawn.setAttribute("aria-hidden", "true");
    add_printed(place, document.importNode(drawn, true));
  }

  function show_numbers(place) {
    if (place.classList.contains("rp-late")) return;
    const said = document.createElement("p");
    said.className = "rp-not-drawn";
    said.textContent = `${place.getAttribute("aria-label")}: printed before it was drawn. Its numbers are beneath.`;
    place.prepend(said);
    place.classList.add("rp-late");
    place.querySelector("details").open = true;
  }

  addEventListener("beforeprint", () => {
    for (const place of places.filter((one) => !one.classList.contains("rp-has-printed"))) {
      try { draw_for_paper(place); } catch { show_numbers(place); }
    }
  });
  addEventListener("afterprint", () => {
    for (const place of places.filter((one) => one.classList.contains("rp-late"))) {
      place.classList.remove("rp-late");
      place.querySelector(".rp-not-drawn").remove();
      place.querySelector("details").open = false;
    }
  });

  const idle = () => new Promise((go) => setTimeout(go, 0));

  async function start() {
    const script = document.createElement("script");
    script.textContent = await unpacked("plotly");
    document.head.append(script);
    for (const place of places) {
      const key = place.dataset.chart, figure = DATA[key], plot = place.querySelector(".rp-plot");
      plot.replaceChildren();
      const options = {
        responsive: true, displaylogo: false,
        modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d", "toImage"],
      };
      await Plotly.newPlot(plot, structuredClone(figure.data), layout(figure, dark.matches, {}), options);
      hide(plot);
      for (const button of place.querySelectorAll("button[data-save]")) {
        button.hidden = false;
        button.addEventListener("click", () => save(figure, key, button.dataset.save));
      }
      await idle();
    }
    dark.addEventListener("change", () => {
      for (const place of places) {
        const plot = place.querySelector(".rp-plot");
        Plotly.relayout(plot, {template: template(dark.matches)}).then(() => hide(plot));
      }
    });
    for (const place of places) {
      const paper = new Image();
      paper.alt = "";
      paper.src = await picture(DATA[place.dataset.chart], "svg", on_paper(place), 1);
      if (!place.classList.contains("rp-has-printed")) add_printed(place, paper); /* printed meanwhile */
      await idle();
    }
    document.documentElement.dataset.charts = "ready";
  }

  function give_up(reason) {
    for (const place of places) place.querySelector(".rp-plot").textContent = `${reason} The data of the chart are beneath.`;
  }

  if (canUnpack) start().catch(() => give_up("The charts could not be drawn."));
  else give_up("This browser is too old to draw charts: it takes one of 2023 or newer.");
})();
