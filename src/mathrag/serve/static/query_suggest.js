// Suggestions while a query is written: tables, columns, prefixes, classes and properties, whatever fits at the caret.
// They are read from the list beside the box, which is there without this, too.
const box = document.getElementById("query");
const isSql = document.getElementById("query-form").action.endsWith("/sql");
const MOST = 8;
const KEYWORDS = isSql
  ? "SELECT DISTINCT FROM WHERE GROUP BY ORDER HAVING LIMIT JOIN LEFT ON AND OR NOT NULL LIKE COUNT AS".split(" ")
  : "SELECT DISTINCT WHERE FILTER OPTIONAL UNION ORDER BY LIMIT GROUP COUNT ASK CONSTRUCT DESCRIBE BIND VALUES".split(" ");

const tables = new Map();
const named = { Prefixes: [], Classes: [], Properties: [] };
for (const schema of document.querySelectorAll("details.schema")) {
  const names = [...schema.querySelectorAll("[data-insert]")].map((each) => each.dataset.insert);
  const title = schema.querySelector("summary").firstChild.textContent.trim();
  if (title in named) named[title] = names;
  else if (isSql && schema.querySelector("summary code")) tables.set(schema.querySelector("summary code").textContent, names);
  else for (const name of names) tables.set(name, []);
}

const list = document.createElement("ul");
list.id = "query-suggestions";
list.setAttribute("role", "listbox");
list.setAttribute("aria-label", "Suggestions");
list.hidden = true;
box.after(list);
box.setAttribute("aria-controls", list.id);
box.setAttribute("aria-autocomplete", "list");
let chosen = -1;

function fitting(before) {
  const word = (isSql ? /[\w.]*$/ : /[?$\w:-]*$/).exec(before)[0];
  const ahead = before.slice(0, before.length - word.length);
  const wanted = isSql ? inSql(word, ahead) : inSparql(word, ahead);
  const part = isSql ? word.slice(word.lastIndexOf(".") + 1) : word;
  const found = [...new Set(wanted)].filter((name) => fits(name, part) && name !== part);
  return { part, found: found.slice(0, MOST) };
}

// By its beginning, or for terms with a prefix by the beginning of what stands after it.
function fits(name, part) {
  const [lower, sought] = [name.toLowerCase(), part.toLowerCase()];
  return lower.startsWith(sought) || (sought.length > 1 && lower.slice(lower.indexOf(":") + 1).startsWith(sought));
}

function inSql(word, ahead) {
  if (word.includes(".")) return columnsOf(word.slice(0, word.indexOf(".")));
  if (/\b(from|join)\s+$/i.test(ahead)) return [...tables.keys()];
  if (!word) return [];
  const used = [...tables.keys()].filter((name) => new RegExp(`\\b${name}\\b`, "i").test(box.value));
  const near = (used.length ? used : [...tables.keys()]).flatMap((name) => tables.get(name));
  return [...near, ...tables.keys(), ...KEYWORDS];
}

function columnsOf(name) {
  if (tables.has(name)) return tables.get(name);
  // A short name that the query gives a table.
  const given = new RegExp(`\\b(\\w+)\\s+(?:as\\s+)?${name.replace(/\W/g, "")}\\b`, "gi");
  const meant = [...box.value.matchAll(given)].find((each) => tables.has(each[1]));
  return meant ? tables.get(meant[1]) : [];
}

function inSparql(word, ahead) {
  if (/[?$]/.test(word)) return [...new Set(box.value.match(/[?$]\w+/g) ?? [])];
  if (/\ba\s+$/.test(ahead)) return named.Classes;
  if (!word) return [];
  return [...named.Properties, ...named.Classes, ...named.Prefixes, ...KEYWORDS];
}

function show() {
  const { part, found } = fitting(box.value.slice(0, box.selectionStart));
  chosen = -1;
  box.removeAttribute("aria-activedescendant");
  list.replaceChildren(...found.map((name, number) => {
    const option = document.createElement("li");
    option.id = `suggestion-${number}`;
    option.setAttribute("role", "option");
    option.textContent = name;
    option.addEventListener("mousedown", (event) => {
      event.preventDefault();
      put(name, part);
    });
    return option;
  }));
  list.hidden = !found.length || box.selectionStart !== box.selectionEnd;
}

function put(name, part) {
  const end = box.selectionStart;
  box.setSelectionRange(end - part.length, end);
  if (!document.execCommand("insertText", false, name)) box.setRangeText(name, end - part.length, end, "end");
  list.hidden = true;
}

function move(step) {
  const options = [...list.children];
  chosen = (chosen + step + options.length) % options.length;
  options.forEach((each, number) => each.setAttribute("aria-selected", String(number === chosen)));
  box.setAttribute("aria-activedescendant", options[chosen].id);
}

box.addEventListener("input", show);
box.addEventListener("blur", () => { list.hidden = true; });
box.addEventListener("keydown", (event) => {
  if (event.key === " " && event.ctrlKey) {
    event.preventDefault();
    show();
    return;
  }
  if (list.hidden || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Tab" || (event.key === "Enter" && chosen >= 0)) {
    event.preventDefault();
    const { part, found } = fitting(box.value.slice(0, box.selectionStart));
    put(found[Math.max(0, chosen)], part);
  } else if (event.key === "Escape") {
    list.hidden = true;
  }
});
