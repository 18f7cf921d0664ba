// The results beside the lines follow what is typed: after a short pause the sheet is sent, and its results come back.

const form = document.getElementById("sheet-form");
const text = document.getElementById("sheet-text");
const results = document.getElementById("sheet-results");
const state = document.getElementById("sheet-state");
const PAUSE = 400;
let waiting = 0;
let running = null;

async function compute() {
  if (running) running.abort();
  const own = new AbortController();
  running = own;
  state.textContent = "computing …";
  try {
    const fields = new URLSearchParams({ csrf: form.elements.csrf.value, text: text.value });
    const reply = await fetch("/worksheets/evaluate", { method: "POST", body: fields, signal: own.signal });
    if (!reply.ok) {
      const problem = await reply.json().catch(() => ({}));
      state.textContent = problem.detail || "the server gave no results; change something to try again";
      return;
    }
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    results.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
    const wrong = results.querySelectorAll(".sheet-is-error").length;
    state.textContent = wrong ? `${wrong} ${wrong === 1 ? "line has" : "lines have"} an error` : "";
  } catch (error) {
    if (error.name !== "AbortError") state.textContent = "the server cannot be reached";
  } finally {
    if (running === own) running = null;
  }
}

text.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(compute, PAUSE);
});

// What was typed before this script ran, or put back by the browser, has no results yet.
window.addEventListener("pageshow", () => {
  if (text.value !== text.defaultValue) compute();
});
