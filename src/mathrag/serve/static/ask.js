// The page to ask on, with comfort: answers stream, keys work, values recompute. All of it also works without this.
import { readEvents } from "./ask_stream.js";
import { watchValues } from "./ask_values.js";
import { watchPlot } from "./ask_plot.js";
import { watchCopies } from "./ask_copy.js";
import { awaitExamples } from "./ask_examples.js";

const answer = document.getElementById("answer");
const progress = document.getElementById("progress");
const list = document.getElementById("progress-list");
const state = document.getElementById("progress-state");
const question = document.getElementById("question");
const cancel = document.getElementById("cancel");
const box = document.getElementById("ask");
const problem = document.getElementById("problem");
let running = null;

for (const each of document.querySelectorAll(".with-script")) each.hidden = false;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute("data-asks")) return;
  event.preventDefault();
  ask(form);
});

question.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    question.form.requestSubmit();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && running) stop();
  const isTyping = event.target.closest && event.target.closest("input, textarea, select");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    question.focus();
    question.select();
  }
});
cancel.addEventListener("click", stop);

function stop() {
  if (running) running.abort();
}

async function ask(form) {
  if (running) running.abort();
  const own = (running = new AbortController());
  const fields = new URLSearchParams(new FormData(form));
  // An example has no conversation of its own: it is asked in the one that is open.
  if (!fields.get("conversation")) fields.set("conversation", box.elements.conversation.value);
  begin(form === box ? fields.get("question") : "");
  let ended = false;
  try {
    const reply = await fetch("/ask/stream", { method: "POST", body: fields, signal: own.signal,
      headers: { Accept: "text/event-stream" } });
    if (!reply.ok) {
      const problem = await reply.json().catch(() => ({ detail: "the server gave no answer; ask again" }));
      show_problem(problem.detail);
      return;
    }
    for await (const event of readEvents(reply.body)) {
      if (own.signal.aborted) return;
      if (event.name === "card") ended = true;
      if (event.name === "error") ended = true;
      took(event, form);
    }
    if (!ended) show_problem("the connection ended before the answer was there; ask again");
  } catch (error) {
    if (own.signal.aborted) {
      if (running === own) end("Cancelled");
    } else {
      show_problem("the server cannot be reached; is it still running?");
    }
  } finally {
    if (running === own) {
      running = null;
      settle();
    }
  }
}

function begin(words) {
  list.replaceChildren();
  problem.replaceChildren();
  document.getElementById("progress-said").textContent = words || "";
  const examples = document.getElementById("examples");
  if (examples) {
    examples.hidden = true;
    examples.removeAttribute("data-later");
  }
  progress.hidden = false;
  progress.classList.add("is-busy");
  progress.querySelector("details").open = true;
  progress.scrollIntoView({ block: "nearest" });
  state.textContent = "Working";
  cancel.hidden = false;
}

function end(words) {
  state.textContent = words;
  settle();
}

function settle() {
  progress.classList.remove("is-busy");
  cancel.hidden = true;
}

function took(event, form) {
  const data = event.data;
  if (event.name === "action") {
    const line = document.createElement("li");
    const name = document.createElement("strong");
    name.textContent = data.doing || data.action || "";
    line.append(name, " ", data.thought || "");
    line.dataset.round = data.round;
    list.append(line);
  } else if (event.name === "observation") {
    const line = list.lastElementChild;
    if (!line) return;
    const seen = data.observation || {};
    const words = document.createElement("span");
    words.className = "quiet";
    words.textContent = `${seen.succeeded ? "→" : "✗"} ${seen.message || ""} (${Math.round(data.milliseconds || 0)} ms)`;
    if (!seen.succeeded) line.classList.add("failed");
    line.append(document.createElement("br"), words);
  } else if (event.name === "error") {
    show_problem(data.detail);
  } else if (event.name === "card") {
    show_card(data, form);
  }
}

function show_problem(words) {
  const line = document.createElement("p");
  line.className = "card problem";
  line.setAttribute("role", "alert");
  line.textContent = words;
  problem.replaceChildren(line);
  end("Not answered");
}

function show_card(data, form) {
  // Markup of our own templates, in which everything from outside is escaped.
  answer.replaceChildren(...parsed(data.thread));
  document.getElementById("history").replaceChildren(...parsed(data.history));
  end("Done");
  // The card says what was done.
  progress.hidden = true;
  box.elements.conversation.value = data.conversation;
  if (form === box) question.value = "";
  box.querySelector("label").textContent = "Follow up, or ask something new";
  question.placeholder = "what about another value? in another unit?";
  document.getElementById("tools").hidden = false;
  document.title = `${data.title} – MathRAG`;
  const address = `/c/${data.conversation}`;
  if (location.pathname !== address || location.search) history.pushState(null, "", address);
  watch();
  document.getElementById(`turn-${data.number}`).scrollIntoView({ block: "start" });
  if (form !== box) {
    const words = document.getElementById("outcome-text");
    if (words) words.focus({ preventScroll: true });
  }
}

const share = document.getElementById("share");
share.addEventListener("click", async () => {
  const said = document.getElementById("shared");
  const address = `${location.origin}/c/${box.elements.conversation.value}`;
  try {
    await navigator.clipboard.writeText(address);
    said.textContent = "Copied.";
  } catch {
    said.textContent = address;
  }
});

function parsed(markup) {
  return [...new DOMParser().parseFromString(markup, "text/html").body.childNodes];
}

function watch() {
  watchValues();
  watchPlot();
  watchCopies();
}

window.addEventListener("popstate", () => location.reload());
watch();
awaitExamples(document.querySelector("#examples[data-later]"));
