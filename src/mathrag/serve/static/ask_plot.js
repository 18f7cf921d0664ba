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
  const readout = document.getElementById("plot-readout");
  const files = document.getElementById("plot-files");
  const svg = document.getElementById("plot-svg");
  document.getElementById("plot-png").addEventListener("click", savePicture);

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
      files.hidden = true;
      return;
    }
    const made = new DOMParser().parseFromString(data.svg, "image/svg+xml");
    figure.replaceChildren(document.importNode(made.documentElement, true));
    asked.delete("narrow");
    svg.href = `/ask/plot.svg?${asked}`;
    files.hidden = false;
    const mark = figure.querySelector(".plot-mark");
    slide.hidden = !mark;
    read(document.querySelector("#recomputed strong")?.textContent || document.getElementById("values").dataset.shown);
    if (mark) slider.value = String(Math.round(200 * (mark.cx.baseVal.value - left()) / (right() - left())));
  }

  // Where the slider stands: the value it sets and what comes out, in words and not only as a point on the curve.
  function read(result) {
    const field = document.querySelector(`#values input[data-key="${CSS.escape(symbol.value)}"]`);
    const name = symbol.selectedOptions[0].textContent.split(":")[0];
    readout.textContent = field && result ? `${name} = ${field.value} → ${result}` : "";
  }

  // A picture of points from the drawing, on white: it may go onto any paper.
  async function savePicture() {
    const picture = new Image();
    picture.src = svg.href;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * picture.naturalWidth;
    canvas.height = 2 * picture.naturalHeight;
    const drawing = canvas.getContext("2d");
    drawing.fillStyle = "#ffffff";
    drawing.fillRect(0, 0, canvas.width, canvas.height);
    drawing.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const made = await new Promise((done) => canvas.toBlob(done, "image/png"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(made);
    link.download = "plot.png";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
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
    read(event.detail.text);
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
