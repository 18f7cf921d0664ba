// The page of the library, with comfort: files can be dropped, sending shows how far it is, and jobs are followed as
// they run. All of it also works without this.
const csrf = document.querySelector('meta[name="csrf"]').content;
const jobs = document.getElementById("jobs");
const drop = document.getElementById("drop");
const form = document.getElementById("upload");

for (const each of document.querySelectorAll(".with-script")) each.hidden = false;
for (const holder of document.querySelectorAll(".job-holder:not([data-over])")) follow(holder);
if (form) watch_upload();

function watch_upload() {
  const chosen = document.getElementById("files");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send([...chosen.files]).then(() => { chosen.value = ""; });
  });
  // Anywhere on the page: a file that misses the box would otherwise replace the page.
  let depth = 0;
  const has_files = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");
  document.addEventListener("dragenter", (event) => {
    if (!has_files(event)) return;
    depth += 1;
    drop.classList.add("is-over");
  });
  document.addEventListener("dragleave", (event) => {
    if (has_files(event) && (depth -= 1) <= 0) end_drag();
  });
  document.addEventListener("dragover", (event) => { if (has_files(event)) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    if (!has_files(event)) return;
    event.preventDefault();
    end_drag();
    send([...event.dataTransfer.files]);
  });
  function end_drag() {
    depth = 0;
    drop.classList.remove("is-over");
  }
}

async function send(files) {
  const problem = document.getElementById("upload-problem");
  problem.hidden = true;
  if (!files.length) return;
  const first = await sent(files);
  if (first.job) return begin(first.job);
  if (files.length === 1 || first.status === 0) return told([first.detail]);
  // One file that is not taken must not keep the others out.
  const problems = [];
  for (const file of files) {
    const one = await sent([file]);
    if (one.job) begin(one.job);
    else problems.push(one.detail);
  }
  told(problems);
}

function told(problems) {
  const problem = document.getElementById("upload-problem");
  problem.textContent = problems.join(" · ");
  problem.hidden = !problems.length;
}

// Only this old way of asking tells how much was sent.
function sent(files) {
  const fields = new FormData();
  for (const file of files) fields.append("files", file);
  fields.append("replace", form.elements.replace.checked ? "true" : "false");
  const box = document.getElementById("sending");
  const bar = document.getElementById("sent");
  const words = document.getElementById("sent-words");
  words.textContent = files.length === 1 ? files[0].name : `${files.length} files`;
  bar.value = 0;
  box.hidden = false;
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/v1/jobs/uploads");
    request.setRequestHeader("X-CSRF-Token", csrf);
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) bar.value = event.loaded / event.total;
    });
    request.addEventListener("loadend", () => {
      box.hidden = true;
      const reply = request.response || {};
      if (request.status === 202) done({ status: 202, job: reply.id });
      else done({ status: request.status, detail: reply.detail || "the server cannot be reached; is it still running?" });
    });
    request.send(fields);
  });
}

function begin(job) {
  const holder = document.createElement("div");
  holder.className = "job-holder";
  holder.dataset.job = job;
  jobs.hidden = false;
  jobs.prepend(holder);
  follow(holder);
}

function follow(holder) {
  const job = holder.dataset.job;
  const events = new EventSource(`/api/v1/jobs/${job}/events`);
  let waiting = null;
  let busy = false;
  const soon = () => {
    if (waiting === null) waiting = setTimeout(() => { waiting = null; refresh(); }, 150);
  };
  async function refresh() {
    if (busy) return soon();
    busy = true;
    try {
      const reply = await fetch(`/library/jobs/${job}/card`);
      if (!reply.ok) return;
      const parsed = new DOMParser().parseFromString(await reply.text(), "text/html");
      const card = parsed.querySelector("article");
      const had_focus = holder.contains(document.activeElement);
      // Markup of our own templates, in which everything from outside is escaped.
      holder.replaceChildren(card);
      if (had_focus) (card.querySelector("button") || card.querySelector("a")).focus();
      tell(card);
      if (["done", "failed", "cancelled"].includes(card.dataset.state)) over();
    } catch {
      // The server is away for a moment; the next event tries again.
    } finally {
      busy = false;
    }
  }
  function over() {
    if (holder.hasAttribute("data-over")) return;
    holder.setAttribute("data-over", "");
    events.close();
    refresh_lists();
  }
  events.addEventListener("state", soon);
  events.addEventListener("file", soon);
  events.addEventListener("error", soon);
  refresh();
}

// Said aloud in one line: the card itself changes too often to be read out each time.
function tell(card) {
  const news = document.getElementById("job-news");
  const words = `${card.querySelector("h2").textContent.trim()}: ${card.querySelector(".job-state").textContent}`;
  const line = words.replace(/\s+/g, " ").trim();
  if (news && news.textContent !== line) news.textContent = line;
}

// The list of documents and the numbers, as the page itself would now show them.
async function refresh_lists() {
  if (!document.querySelector(".totals")) return;
  const reply = await fetch(location.pathname + location.search);
  if (!reply.ok) return;
  const parsed = new DOMParser().parseFromString(await reply.text(), "text/html");
  const mine = document.getElementById("failures");
  const theirs = parsed.getElementById("failures");
  document.querySelector(".totals").replaceWith(parsed.querySelector(".totals"));
  document.getElementById("documents").replaceWith(parsed.getElementById("documents"));
  if (mine) mine.remove();
  if (theirs) document.getElementById("documents").after(theirs);
  const starter = document.querySelector(".starter");
  if (starter && !parsed.querySelector(".starter")) starter.remove();
}
