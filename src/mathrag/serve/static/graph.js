// The picture of the library, with comfort: zoom and pan by wheel, fingers, mouse and keys; names where there is room;
// what a node is joined to; its card beside the picture. Without this, the nodes are links and the names are fewer.
const LETTER = 12.5;
const LETTER_WIDTH = 0.57;
// How much room a name has around it, in sizes of a letter.
const GAP = 0.7;
const MOST_NAMES = 220;
// A node may be drawn so many times as large as the picture has it.
const CLOSEST = 3;
const SVG = "http://www.w3.org/2000/svg";

const root = document.getElementById("graph");

async function begin() {
  const frame = document.getElementById("window");
  if (!frame.querySelector("svg") && !(await load(frame))) return;
  new Picture(frame, frame.querySelector("svg"));
}

async function load(frame) {
  const waiting = document.getElementById("waiting");
  waiting.textContent = "The picture is being laid out…";
  try {
    const reply = await fetch(root.dataset.picture);
    if (!reply.ok) throw new Error(reply.statusText);
    // Written by our own server, which escapes everything from outside.
    const drawn = new DOMParser().parseFromString(await reply.text(), "image/svg+xml").documentElement;
    frame.replaceChildren(document.adoptNode(drawn));
    return true;
  } catch {
    waiting.textContent = "The picture could not be fetched; is the server still running?";
    return false;
  }
}

class Picture {
  constructor(frame, svg) {
    this.frame = frame;
    this.svg = svg;
    this.links = [...svg.querySelectorAll(".nodes > a")];
    this.names = svg.querySelector(".names");
    this.over = svg.querySelector(".over");
    const { x, y, width, height } = svg.viewBox.baseVal;
    this.whole = { x, y, width, height };
    this.pointers = new Map();
    this.nodes = null;
    this.near = null;
    this.selected = null;
    this.show(this.fitted());
    // On a phone all of it would be specks.
    if (frame.clientWidth < 600 && this.links.length > 40) this.zoom(0.55);
    this.listen();
    this.reach(this.links[0]);
    frame.classList.add("is-live");
    for (const id of ["tools", "help"]) document.getElementById(id).hidden = false;
    this.learn();
  }

  // Nodes and lines as numbers, for names and neighbours. The picture can be moved before they are there.
  async learn() {
    // Without them the picture can still be moved, and its nodes are links.
    const reply = await fetch(root.dataset.parts).catch(() => null);
    if (!reply?.ok) return;
    const { nodes, ranked, ends } = await reply.json();
    // The library may have changed between the two; then the picture stays as it was drawn.
    const drawn = (link) => link.getAttribute("href");
    if (nodes.length !== this.links.length || nodes.some(([, , , , , href], at) => href !== drawn(this.links[at]))) return;
    this.near = nodes.map(() => []);
    for (let at = 0; at < ends.length; at += 2) {
      this.near[ends[at]].push(ends[at + 1]);
      this.near[ends[at + 1]].push(ends[at]);
    }
    this.ranked = ranked;
    this.nodes = nodes.map(([id, name, x, y, radius]) => ({ id, name, x, y, radius }));
    this.letter();
    const here = document.activeElement;
    if (this.links.includes(here)) this.point(here);
    root.dataset.ready = "yes";
  }

  // ---- what is seen: `view` has the shape of the window, so that a pixel is the same both ways.
  fitted() {
    const { clientWidth: wide, clientHeight: high } = this.frame;
    const scale = Math.max(this.whole.width / wide, this.whole.height / high);
    const width = wide * scale;
    const height = high * scale;
    return {
      x: this.whole.x + (this.whole.width - width) / 2, y: this.whole.y + (this.whole.height - height) / 2, width, height,
    };
  }

  show(view) {
    this.view = view;
    this.svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    this.svg.classList.add("is-moving");
    this.svg.classList.toggle("is-close", view.width < this.whole.width / 4);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.svg.classList.remove("is-moving"), 200);
    cancelAnimationFrame(this.drawing);
    this.drawing = requestAnimationFrame(() => this.letter());
  }

  zoom(factor, at) {
    const view = this.view;
    const all = this.fitted();
    const width = Math.min(all.width * 1.05, Math.max(this.frame.clientWidth / CLOSEST, view.width * factor));
    const share = width / view.width;
    const middle = at || { x: view.x + view.width / 2, y: view.y + view.height / 2 };
    this.show({
      x: middle.x - (middle.x - view.x) * share, y: middle.y - (middle.y - view.y) * share,
      width, height: view.height * share,
    });
    return Math.abs(share - 1) > 1e-6;
  }

  pan(across, along) {
    const { x, y, width, height } = this.view;
    const within = (value, low, size, span) => Math.min(low + size - span / 4, Math.max(low - (span * 3) / 4, value));
    this.show({
      x: within(x + across, this.whole.x, this.whole.width, width),
      y: within(y + along, this.whole.y, this.whole.height, height), width, height,
    });
  }

  place(event) {
    const box = this.frame.getBoundingClientRect();
    const { x, y, width, height } = this.view;
    return { x: x + ((event.clientX - box.left) / box.width) * width, y: y + ((event.clientY - box.top) / box.height) * height };
  }

  // ---- names: the weightiest nodes first, where none covers another; those of a pointed node always.
  letter() {
    if (!this.nodes) return;
    const pixel = this.view.width / this.frame.clientWidth;
    const size = LETTER * pixel;
    const right = this.view.x + this.view.width;
    const bottom = this.view.y + this.view.height;
    const taken = new Map();
    const made = [];
    const first = this.pointed === undefined ? [] : [this.pointed, ...this.neighbours(this.pointed)];
    const near = new Set(first);
    for (const place of [...first, ...this.ranked.filter((each) => !near.has(each))]) {
      const node = this.nodes[place];
      if (node.x < this.view.x || node.x > right || node.y < this.view.y || node.y > bottom) continue;
      const half = (node.name.length * size * LETTER_WIDTH) / 2;
      const middle = Math.min(right - half, Math.max(this.view.x + half, node.x));
      const top = node.y + node.radius + 0.15 * size;
      const gap = near.has(place) ? 0 : GAP * size;
      const box = { left: middle - half - gap, right: middle + half + gap, top: top - gap / 2, bottom: top + 1.15 * size + gap / 2 };
      if (!claim(taken, box, 8 * size)) continue;
      const text = document.createElementNS(SVG, "text");
      text.setAttribute("x", middle);
      text.setAttribute("y", top + 0.85 * size);
      text.textContent = node.name;
      if (near.has(place)) text.setAttribute("class", "is-near");
      made.push(text);
      if (made.length >= MOST_NAMES) break;
    }
    this.names.setAttribute("font-size", size);
    this.names.replaceChildren(...made);
  }

  neighbours(place) {
    return this.near ? this.near[place] : [];
  }

  // ---- pointing at a node shows what it is joined to.
  point(link) {
    const place = link ? Number(link.dataset.node) : undefined;
    if (place === this.pointed && this.svg.classList.contains("is-pointing") === (place !== undefined)) return;
    this.pointed = place;
    for (const old of this.svg.querySelectorAll(".nodes .is-near")) old.classList.remove("is-near");
    this.over.replaceChildren();
    this.svg.classList.toggle("is-pointing", place !== undefined);
    if (place !== undefined) {
      for (const each of [place, ...this.neighbours(place)]) this.links[each].classList.add("is-near");
      if (this.nodes) this.over.append(this.lines(place));
    }
    this.letter();
  }

  lines(place) {
    const path = document.createElementNS(SVG, "path");
    const at = (each) => `${this.nodes[each].x} ${this.nodes[each].y}`;
    path.setAttribute("d", this.near[place].map((other) => `M${at(place)}L${at(other)}`).join(""));
    return path;
  }

  // ---- one node is chosen: its card is shown beside the picture.
  async select(link) {
    const place = Number(link.dataset.node);
    const node = this.nodes?.[place];
    if (!node) return;
    this.links[this.selected]?.classList.remove("is-selected");
    this.selected = place;
    link.classList.add("is-selected");
    this.reach(link);
    const shown = document.getElementById("selected");
    shown.setAttribute("aria-busy", "true");
    try {
      const reply = await fetch(`/graph/card?id=${encodeURIComponent(node.id)}`, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      const card = page.getElementById("card");
      if (this.selected !== place) return;
      // Markup of our own templates, in which everything from outside is escaped.
      if (card) shown.replaceChildren(document.adoptNode(card));
      else if (reply.status === 404) shown.textContent = "it is not in the library any more; load the page again";
      else shown.textContent = "the server did not show it; load the page again";
    } catch {
      shown.textContent = "the server cannot be reached; is it still running?";
    } finally {
      shown.removeAttribute("aria-busy");
    }
  }

  // ---- keys: one node can be reached by Tab, the arrow keys go on from there to the nearest one that way.
  reach(link) {
    if (!link) return;
    for (const each of this.reachable === undefined ? this.links : [this.reachable]) each.setAttribute("tabindex", "-1");
    link.setAttribute("tabindex", "0");
    this.reachable = link;
  }

  beyond(place, across, along) {
    const from = this.nodes[place];
    let best = null;
    let least = Infinity;
    this.nodes.forEach((node, each) => {
      const ahead = (node.x - from.x) * across + (node.y - from.y) * along;
      const aside = Math.abs((node.x - from.x) * along) + Math.abs((node.y - from.y) * across);
      if (each !== place && ahead > 0 && ahead + 2 * aside < least) {
        least = ahead + 2 * aside;
        best = each;
      }
    });
    return best;
  }

  reveal(place) {
    const { x, y } = this.nodes[place];
    const { x: left, y: top, width, height } = this.view;
    const is_seen = x > left + width * 0.05 && x < left + width * 0.95 && y > top + height * 0.05 && y < top + height * 0.95;
    if (!is_seen) this.show({ ...this.view, x: x - width / 2, y: y - height / 2 });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const link = event.target.closest(".nodes > a");
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (way && link && this.nodes && !event.shiftKey) {
      const next = this.beyond(Number(link.dataset.node), ...way);
      if (next !== null) {
        this.reach(this.links[next]);
        this.reveal(next);
        this.links[next].focus({ preventScroll: true });
      }
    } else if (way) this.pan((way[0] * this.view.width) / 8, (way[1] * this.view.height) / 8);
    else if (event.key === "+" || event.key === "=") this.zoom(0.7, link && this.nodes?.[Number(link.dataset.node)]);
    else if (event.key === "-") this.zoom(1 / 0.7);
    else if (event.key === "0") this.show(this.fitted());
    else if (event.key === " " && link && root.dataset.show === "entries") this.select(link);
    else if (event.key === "Escape") this.point(null);
    else return;
    event.preventDefault();
  }

  listen() {
    const frame = this.frame;
    frame.setAttribute("tabindex", "0");
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", "Picture: arrow keys move it, plus and minus zoom, Tab goes to a node");
    frame.addEventListener("keydown", (event) => this.key(event));
    frame.addEventListener("wheel", (event) => {
      if (this.zoom(Math.exp(Math.max(-200, Math.min(200, event.deltaY)) * 0.0022), this.place(event))) event.preventDefault();
    }, { passive: false });
    frame.addEventListener("pointerdown", (event) => this.press(event));
    frame.addEventListener("pointermove", (event) => this.drag(event));
    for (const kind of ["pointerup", "pointercancel"]) frame.addEventListener(kind, (event) => this.release(event));
    frame.addEventListener("dragstart", (event) => event.preventDefault());
    const nodes = this.svg.querySelector(".nodes");
    nodes.addEventListener("mouseover", (event) => !this.pointers.size && this.point(event.target.closest("a")));
    nodes.addEventListener("mouseout", (event) => !event.relatedTarget?.closest?.(".nodes > a") && this.point(null));
    // Not on the nodes' group: browsers let parts of SVG be focused that listen to focus.
    frame.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && this.point(event.target.closest(".nodes > a")));
    frame.addEventListener("focusout", () => this.point(null));
    frame.addEventListener("click", (event) => this.click(event), true);
    nodes.addEventListener("dblclick", (event) => {
      const link = event.target.closest("a");
      if (link) location.assign(link.getAttribute("href"));
    });
    document.getElementById("tools").addEventListener("click", (event) => {
      const tool = event.target.closest("button")?.dataset.tool;
      if (tool === "all") this.show(this.fitted());
      else if (tool) this.zoom(tool === "in" ? 0.6 : 1 / 0.6);
    });
    document.getElementById("selected").addEventListener("mouseover", (event) => this.pointAtEntry(event.target));
    document.getElementById("selected").addEventListener("mouseleave", () => this.point(null));
    new ResizeObserver(() => this.resized()).observe(frame);
  }

  resized() {
    const share = this.frame.clientHeight / this.frame.clientWidth;
    const height = this.view.width * share;
    if (Math.abs(height - this.view.height) < 0.5) return;
    this.show({ ...this.view, y: this.view.y + (this.view.height - height) / 2, height });
  }

  pointAtEntry(target) {
    const entry = target.closest("[data-entry]")?.dataset.entry;
    const place = entry && this.nodes ? this.nodes.findIndex((node) => node.id === entry) : -1;
    if (place >= 0) this.point(this.links[place]);
  }

  click(event) {
    if (this.moved) {
      this.moved = false;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const link = event.target.closest(".nodes > a");
    // Enter on a link is a click without a pointer, and opens its page like any other link.
    if (!link || event.detail === 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    if (!this.nodes || root.dataset.show !== "entries") return;
    event.preventDefault();
    this.select(link);
  }

  press(event) {
    if (event.button !== 0) return;
    this.moved = false;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.start = { x: event.clientX, y: event.clientY };
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (!this.moved && Math.hypot(now.x - this.start.x, now.y - this.start.y) < 5 && this.pointers.size < 2) return;
    if (!this.moved) {
      this.moved = true;
      this.frame.setPointerCapture(event.pointerId);
      this.frame.classList.add("is-dragged");
      this.point(null);
    }
    if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const far = (at) => Math.max(10, Math.hypot(at.x - other.x, at.y - other.y));
      this.zoom(far(before) / far(now), this.place({ clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 }));
    }
    const pixel = this.view.width / this.frame.clientWidth / this.pointers.size;
    this.pan((before.x - now.x) * pixel, (before.y - now.y) * pixel);
    this.pointers.set(event.pointerId, now);
  }

  release(event) {
    this.pointers.delete(event.pointerId);
    if (!this.pointers.size) this.frame.classList.remove("is-dragged");
    // The click that ends a drag comes before this, where one comes at all.
    setTimeout(() => { this.moved = false; }, 0);
  }
}

// Takes a box where none is; boxes are looked up by cells of the plane.
function claim(taken, box, cell) {
  const keys = [];
  for (let across = Math.floor(box.left / cell); across <= Math.floor(box.right / cell); across += 1) {
    for (let along = Math.floor(box.top / cell); along <= Math.floor(box.bottom / cell); along += 1) {
      const key = `${across} ${along}`;
      for (const other of taken.get(key) || []) {
        if (box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom) return false;
      }
      keys.push(key);
    }
  }
  for (const key of keys) taken.set(key, [...(taken.get(key) || []), box]);
  return true;
}

if (root) begin();
