// The consoles, with comfort: Ctrl+Enter runs, examples and names go into the box, a complaint leads to its place.
// All of it also works without this.
const form = document.getElementById("query-form");
const box = document.getElementById("query");
for (const each of document.querySelectorAll(".with-script")) each.hidden = false;

box.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
  }
});

const run = form.querySelector("button[type=submit]");
const rest = () => {
  run.textContent = "Run";
  run.removeAttribute("aria-busy");
};
form.addEventListener("submit", () => {
  run.textContent = "Running …";
  run.setAttribute("aria-busy", "true");
});
// A page that comes back from the browser's memory is not running anything.
addEventListener("pageshow", rest);

for (const link of document.querySelectorAll("[data-query]")) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    put(0, box.value.length, link.dataset.query);
    box.setSelectionRange(0, 0);
    box.scrollTop = 0;
    form.scrollIntoView({ block: "nearest" });
  });
}

for (const name of document.querySelectorAll("[data-insert]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.title = "Put into the query";
  name.replaceWith(button);
  button.append(name);
  button.addEventListener("click", () => put(box.selectionStart, box.selectionEnd, name.dataset.insert));
}

function put(start, end, text) {
  box.focus();
  box.setSelectionRange(start, end);
  // This way it can be undone with the keyboard; where a browser has given it up, it is put in without.
  if (!document.execCommand("insertText", false, text)) box.setRangeText(text, start, end, "end");
}

if (box.dataset.line) {
  const lines = box.value.split("\n");
  const before = lines.slice(0, Number(box.dataset.line) - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const at = Math.min(box.value.length, before + Number(box.dataset.column) - 1);
  const word = /^[\w:?$-]+/.exec(box.value.slice(at));
  box.focus({ preventScroll: true });
  box.setSelectionRange(at, at + (word ? word[0].length : 1));
}

// The graph takes a while after a large change: ask again until it is there, unless the query is being edited.
if (document.querySelector("[data-again]")) {
  const again = setTimeout(() => location.reload(), 3000);
  box.addEventListener("input", () => clearTimeout(again), { once: true });
}
