// What is wider than its place scrolls, and the keyboard must get there. Tables and code say so in the page itself; formulas
// and lines are many and seldom too wide, so only those that are become a stop of the tabulator, with a name.
const PLACES = [
  [".formula, .passage .display", "Formula"],
  [".sheet-line", "Line of the worksheet"],
  [".written, .said .wrong", "Step"],
  [".try output pre", "Reply"],
];
const ALL = PLACES.map(([place]) => place).join(", ");

const sizes = new ResizeObserver((entries) => { for (const entry of entries) mark(entry.target); });

function mark(node) {
  const style = getComputedStyle(node);
  const scrolls = (way, much) => ["auto", "scroll"].includes(way) && much > 1;
  const is_needed = scrolls(style.overflowX, node.scrollWidth - node.clientWidth)
    || scrolls(style.overflowY, node.scrollHeight - node.clientHeight);
  if (is_needed && !node.hasAttribute("tabindex")) {
    const name = PLACES.find(([place]) => node.matches(place))[1];
    node.dataset.scrolls = "";
    node.tabIndex = 0;
    node.setAttribute("role", "group");
    node.setAttribute("aria-label", `${name}, can be scrolled`);
  } else if (!is_needed && "scrolls" in node.dataset && node !== document.activeElement) {
    delete node.dataset.scrolls;
    for (const name of ["tabindex", "role", "aria-label"]) node.removeAttribute(name);
  }
}

function look(root) {
  if (!(root instanceof Element)) return;
  for (const node of [root, ...root.querySelectorAll(ALL)]) {
    if (!node.matches(ALL)) continue;
    mark(node);
    sizes.observe(node);
  }
}

look(document.body);
new MutationObserver((changes) => {
  for (const change of changes) for (const node of change.addedNodes) look(node);
}).observe(document.body, { childList: true, subtree: true });
