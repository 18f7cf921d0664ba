// Tries an operation of the API from its own page, in the name of whoever is signed in. Without this the examples remain.
const csrf = document.querySelector('meta[name="csrf"]').content;
const MOST = 20000;

for (const form of document.querySelectorAll("form.try")) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}

async function send(form) {
  const output = form.querySelector("output");
  const button = form.querySelector("button");
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll("input")) {
    if (input.dataset.where === "path") path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
    else if (input.value) query.set(input.name, input.value);
  }
  const options = { method: form.dataset.method, headers: { "X-CSRF-Token": csrf, Accept: "application/json" } };
  const body = form.querySelector("textarea");
  if (body) {
    options.body = body.value;
    options.headers["Content-Type"] = "application/json";
  }
  button.disabled = true;
  const began = performance.now();
  try {
    const reply = await fetch(query.size ? `${path}?${query}` : path, options);
    const text = await reply.text();
    show(output, `${reply.status} ${reply.statusText} · ${Math.round(performance.now() - began)} ms`, readable(text));
  } catch {
    show(output, "The server did not answer.", "");
  } finally {
    button.disabled = false;
  }
}

function readable(text) {
  let found = text;
  try {
    found = JSON.stringify(JSON.parse(text), null, 2);
  } catch { /* No JSON: shown as it is. */ }
  return found.length > MOST ? `${found.slice(0, MOST)}\n… and ${found.length - MOST} characters more` : found;
}

function show(output, line, text) {
  const head = document.createElement("p");
  head.className = "status";
  head.textContent = line;
  const rest = document.createElement("pre");
  rest.textContent = text;
  output.replaceChildren(head, ...(text ? [rest] : []));
}
// An address that names an operation opens it.
function open() {
  const found = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (found && found.tagName === "DETAILS") found.open = true;
}
addEventListener("hashchange", open);
open();
