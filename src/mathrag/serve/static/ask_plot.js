// The plot of the result against one value, in the card; a slider moves along the curve and sets the value.
import { currentPlan } from "./ask_values.js";

export function watchPlot() {
  const form = document.getElementById("plot-form");
  if (!form || form.dataset.watched) return;
  form.dataset.watched = "yes";
  const figure = document.getElementById("plot-figure");
  const slide = document.getElementById("plot-slide");
  const slider = document.getElementById("plot-slider");
  const symbol = document.getElementById("plot-symbol");

  symbol.addEventListener("change", () => {
    const chosen = symbol.selectedOptions[0];
    form.elements.start.value = chosen.dataset.start;
    form.elements.stop.value = chosen.dataset.stop;
    if (figure.firstChild) draw();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    draw();
  });
  document.getElementById("plotting").addEventListener("toggle", (event) => {
    if (event.target.open && !figure.firstChild) draw();
  });
  slider.addEventListener("input", moved);

  async function draw() {
    form.elements.plan.value = JSON.stringify(currentPlan());
    const asked = new URLSearchParams(new FormData(form));
    if (figure.clientWidth < 480) asked.set("narrow", "true");
    const reply = await fetch(`/ask/plot.json?${asked}`).catch(() => null);
    const data = reply ? await reply.json().catch(() => ({})) : {};
    if (!data.svg) {
      const words = document.createElement("p");
      words.className = "problem";
      words.textContent = data.problem || data.detail || "the plot cannot be drawn now";
      figure.replaceChildren(words);
      slide.hidden = true;
      return;
    }
    const made = new DOMParser().parseFromString(data.svg, "image/svg+xml");
    figure.replaceChildren(document.importNode(made.documentElement, true));
    const mark = figure.querySelector(".plot-mark");
    slide.hidden = !mark;
    if (mark) slider.value = String(Math.round(200 * (mark.cx.baseVal.value - left()) / (right() - left())));
  }

  const drawn = () => figure.querySelector("svg").dataset;
  const left = () => Number(drawn().xFirst);
  const right = () => Number(drawn().xLast);

  let share = 0;
  function moved() {
    const data = drawn();
    share = Number(slider.value) / 200;
    const low = Number(data.xLow);
    const high = Number(data.xHigh);
    const x = data.xScale === "log" ? low * (high / low) ** share : low + (high - low) * share;
    const field = document.querySelector(`#values input[data-key="${CSS.escape(symbol.value)}"]`);
    const unit = form.elements.start.value.trim().split(/\s+/).slice(1).join(" ");
    field.value = `${Number(x.toPrecision(5))} ${unit}`.trim();
    slider.setAttribute("aria-valuetext", field.value);
    field.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: "slide" }));
  }
  document.getElementById("values").addEventListener("recomputed", (event) => {
    if (!figure.querySelector("svg")) return;
    if (!event.detail.isSlide) draw();
    else if (event.detail.value !== null) place(event.detail.value);
  });

  function place(value) {
    const mark = figure.querySelector(".plot-mark");
    if (!mark) return;
    const data = drawn();
    const part = (value - Number(data.yLow)) / (Number(data.yHigh) - Number(data.yLow));
    mark.setAttribute("cx", left() + (right() - left()) * share);
    mark.setAttribute("cy", Number(data.yFirst) + (Number(data.yLast) - Number(data.yFirst)) * part);
  }
}
