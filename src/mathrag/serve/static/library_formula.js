// The page of a formula, with comfort: the result comes without a new page, and the symbol that is computed needs no
// value. All of it also works without this.
const form = document.getElementById("compute-form");
if (form) watch();

function watch() {
  const target = document.getElementById("solve-for");
  const mark = () => {
    for (const each of form.querySelectorAll("[data-symbol]")) {
      const is_target = each.dataset.symbol === target.value;
      each.classList.toggle("is-target", is_target);
      each.querySelector("input").disabled = is_target;
    }
  };
  target.addEventListener("change", mark);
  mark();
  let running = null;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (running) running.abort();
    const own = (running = new AbortController());
    const address = `${location.pathname}?${new URLSearchParams(new FormData(form))}`;
    const shown = document.getElementById("computed");
    shown.setAttribute("aria-busy", "true");
    try {
      const reply = await fetch(address, { signal: own.signal, headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      const result = page.getElementById("computed");
      // Markup of our own templates, in which everything from outside is escaped.
      if (result) shown.replaceChildren(...result.childNodes);
      else shown.textContent = "the formula is not there any more; load the page again";
      history.replaceState(null, "", `${address}#compute`);
    } catch {
      if (!own.signal.aborted) shown.textContent = "the server cannot be reached; is it still running?";
    } finally {
      shown.removeAttribute("aria-busy");
    }
  });
}
