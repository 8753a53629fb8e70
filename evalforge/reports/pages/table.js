(() => {
  const table = document.getElementById("everybody");
  const search = document.getElementById("search");
  const shown = document.getElementById("shown");
  const rows = () => Array.from(table.tBodies);
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows()) {
      const text = (row.textContent + " " + row.dataset.outcome.replace("_", " ")).toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      count += row.hidden ? 0 : 1;
    }
    shown.textContent = words.length ? count + " of " + rows().length : "";
  });
  const sort = (heading) => {
    const key = heading.dataset.key;
    const down = heading.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const isNumber = key === "score" || key === "integrity";
    const compare = (one, other) => {
      const [a, b] = [one.dataset[key], other.dataset[key]];
      return isNumber ? Number(a) - Number(b) : a.localeCompare(b);
    };
    for (const row of rows().sort((one, other) => (down ? -1 : 1) * compare(one, other))) table.appendChild(row);
  };
  for (const heading of table.tHead.rows[0].cells) {
    if (!heading.dataset.key) continue;
    heading.tabIndex = 0;
    heading.addEventListener("click", () => sort(heading));
    heading.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(heading); });
  }
  window.addEventListener("beforeprint", () => { for (const one of document.querySelectorAll("details")) one.open = true; });
})();
