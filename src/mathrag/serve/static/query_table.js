// The rows of a result: sorted by a click on a column, narrowed down by words. Only what is shown; the files have all rows.
const table = document.querySelector(".query-table table");
if (table) {
  const body = table.tBodies[0];
  const original = [...body.rows];
  const text = (row, column) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
  const heads = [...table.tHead.rows[0].cells];

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.title = "Sort by this column";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(head, column));
  });

  function sort(head, column) {
    const next = { none: "ascending", ascending: "descending", descending: "none" }[head.ariaSort ?? "none"];
    for (const each of heads) each.ariaSort = null;
    const rows = [...original];
    if (next !== "none") {
      head.ariaSort = next;
      rows.sort(order(column, next === "ascending" ? 1 : -1));
    }
    body.append(...rows);
  }

  // Numbers by size where a column holds nothing else, else as text; what is empty comes last either way.
  function order(column, sign) {
    const values = new Map(original.map((row) => [row, row.cells[column].querySelector(".nothing") ? "" : text(row, column)]));
    const isNumeric = [...values.values()].every((value) => value === "" || Number.isFinite(Number(value)));
    const collator = new Intl.Collator("en", { numeric: true });
    return (first, second) => {
      const [a, b] = [values.get(first), values.get(second)];
      if (a === "" || b === "") return (a === "") - (b === "");
      return sign * (isNumeric ? Number(a) - Number(b) : collator.compare(a, b));
    };
  }

  const filter = document.getElementById("row-filter");
  const count = document.getElementById("row-count");
  filter.closest("[hidden]").hidden = false;
  const words = new Map(original.map((row) => [row, row.textContent.toLowerCase()]));
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of original) {
      row.hidden = !wanted.every((word) => words.get(row).includes(word));
      left += !row.hidden;
    }
    count.textContent = wanted.length ? `${left} of ${original.length} rows` : "";
  });
}
