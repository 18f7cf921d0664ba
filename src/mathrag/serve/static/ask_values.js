// A value is changed in the table: the result is computed again with the formulas of the answer, and shown beside it.

const PAUSE = 200;

export function currentPlan() {
  const form = document.getElementById("values");
  if (!form || !form.dataset.plan) return null;
  const plan = JSON.parse(form.dataset.plan);
  for (const field of form.querySelectorAll("input[data-key]")) {
    const name = field.dataset.key;
    if (name in plan.values && field.value.trim()) plan.values[name] = withUnit(field.value.trim(), plan.values[name]);
  }
  return plan;
}

// A plain number is meant in the unit that the value had.
function withUnit(text, before) {
  const isPlain = /^[-+−]?[0-9.,]+(?:[eE][-+]?[0-9]+)?$/.test(text);
  const unit = before.split(" ").slice(1).join(" ");
  return isPlain && unit ? `${text} ${unit}` : text;
}

async function recomputed(plan, signal) {
  const secret = document.querySelector('meta[name="csrf"]').content;
  const reply = await fetch("/ask/recompute.json", { method: "POST", signal, body: JSON.stringify(plan),
    headers: { "Content-Type": "application/json", "X-CSRF-Token": secret } });
  const data = await reply.json();
  if (!reply.ok || data.problem) throw new Error(data.problem || data.detail || "this cannot be computed");
  return data;
}

export function watchValues() {
  const form = document.getElementById("values");
  const place = document.getElementById("recomputed");
  if (!form || !place || !form.dataset.plan || form.dataset.watched) return;
  form.dataset.watched = "yes";
  let timer = 0;
  let last = null;
  form.addEventListener("input", (event) => {
    if (!event.target.matches("input[data-key]")) return;
    clearTimeout(timer);
    mark();
    const isSlide = event.detail === "slide";
    timer = setTimeout(() => update(isSlide), isSlide ? 0 : PAUSE);
  });
  // What was answered stands above and is not what the table now says: it steps back until they agree again.
  function mark() {
    const fields = [...form.querySelectorAll("input[data-key]")];
    const isChanged = fields.some((field) => field.value.trim() !== field.defaultValue.trim());
    const card = form.closest("article");
    card.classList.toggle("is-stale", isChanged);
    place.classList.add("is-busy");
    let note = card.querySelector(".stale-note");
    if (isChanged && !note) {
      note = document.createElement("p");
      note.className = "quiet stale-note";
      note.textContent = "This is for the values that were asked; the table below has other ones.";
      card.querySelector("#outcome-text").after(note);
    }
    if (note && !isChanged) note.remove();
  }
  async function update(isSlide) {
    if (last) last.abort();
    const own = (last = new AbortController());
    try {
      const found = await recomputed(currentPlan(), own.signal);
      place.classList.remove("is-busy");
      show(place, found);
      form.dispatchEvent(new CustomEvent("recomputed", { detail: { value: found.value, isSlide, text: `${shortened(found.value)} ${words(found.unit)}`.trim() } }));
    } catch (error) {
      if (own.signal.aborted) return;
      const said = document.createElement("span");
      said.className = "problem";
      said.textContent = error.message;
      place.classList.remove("is-busy");
      place.replaceChildren(said);
      form.dispatchEvent(new CustomEvent("recomputed", { detail: { value: null, isSlide, text: "no value" } }));
    }
  }
}

function show(place, found) {
  const value = document.createElement("strong");
  value.textContent = `${shortened(found.value)} ${words(found.unit)}`.trim();
  place.replaceChildren("With these values: ", value);
}

function shortened(value) {
  if (value === null) return "too large to show";
  const size = Math.abs(value);
  if (value === 0) return "0";
  return size >= 1e-3 && size < 1e9 ? String(Number(value.toPrecision(6))) : value.toExponential(4).replace("e+", "e");
}

function words(unit) {
  const raised = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
  return (unit || "").replaceAll("*", "·").replace(/\^(-?[0-9]+)/g, (_, power) => [...power].map((sign) => raised[sign]).join(""));
}
