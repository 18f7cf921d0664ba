// Examples that were still being tried when the page was made: looked for again a few times, then left out.
const PAUSE = 700;
const MOST_TRIES = 6;

export async function awaitExamples(place) {
  for (let tries = 0; place && tries < MOST_TRIES; tries += 1) {
    await new Promise((go) => setTimeout(go, PAUSE));
    const found = await examples();
    // Whoever has asked meanwhile needs none.
    if (!place.hasAttribute("data-later")) return;
    if (found) {
      place.replaceChildren(...found.children);
      place.removeAttribute("data-later");
      place.hidden = false;
      return;
    }
  }
}

async function examples() {
  try {
    const reply = await fetch("/", { headers: { Accept: "text/html" } });
    if (!reply.ok) return null;
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    return page.querySelector("#examples:not([data-later])");
  } catch {
    return null;
  }
}
