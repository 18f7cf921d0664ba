// "LaTeX", "Markdown" and "Python" are copied; without this they are downloaded as files.

export function watchCopies() {
  const form = document.getElementById("exports");
  if (!form || form.dataset.watched) return;
  form.dataset.watched = "yes";
  for (const button of form.querySelectorAll("button[data-copy]")) button.textContent = `Copy ${button.textContent}`;
  form.addEventListener("submit", async (event) => {
    const button = event.submitter;
    if (!button || !button.hasAttribute("data-copy") || !navigator.clipboard) return;
    event.preventDefault();
    const said = document.getElementById("copied");
    const fields = new URLSearchParams(new FormData(form));
    fields.set("format", button.value);
    try {
      const reply = await fetch(form.action, { method: "POST", body: fields });
      if (!reply.ok) throw new Error((await reply.json()).detail);
      await navigator.clipboard.writeText(await reply.text());
      said.textContent = "Copied.";
    } catch (error) {
      said.textContent = `Not copied: ${error.message}`;
    }
  });
}
