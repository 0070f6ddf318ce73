/* A crosstable: what is pointed at is told in full, and the arrow keys move from number to number. */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const region = document.querySelector(".crosstable");
const readout = document.getElementById("readout");

function tell(cell) {
  if (!cell) return;
  const [row, head] = [cell.parentElement, region.querySelector("thead tr").cells[cell.cellIndex]];
  const [name, other] = [row.querySelector(".bot").textContent, head.firstElementChild.title];
  if (!cell.dataset.t) return readout.replaceChildren(cell.className ? name : `${name} and ${other} have not met.`);
  const tables = `${cell.dataset.t} table${cell.dataset.t === "1" ? "" : "s"}`;
  const sure = cell.dataset.i ? `, truly ${cell.dataset.i}; that it is the better one has a likelihood of ${cell.dataset.s}` : "";
  const link = document.createElement("a");
  link.href = `${region.dataset.pairs}/${row.dataset.id}/${head.dataset.id}`;
  link.textContent = "Head to head";
  readout.replaceChildren(`${name} took ${cell.textContent.trim()} % from ${other} at ${tables}${sure}. `, link);
}

function move(from, [down, right]) {
  const rows = [...region.querySelectorAll("tbody tr")];
  const row = from ? rows.indexOf(from.parentElement) : 0;
  const next = from ? rows[row + down]?.cells[from.cellIndex + right] : region.querySelector("td[data-t]");
  if (next?.tagName !== "TD") return;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest", inline: "nearest" });
}

if (region) {
  region.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") tell(event.target.closest("td")); });
  region.addEventListener("click", (event) => tell(event.target.closest("td")));
  region.addEventListener("focusin", (event) => tell(event.target.closest("td")));
  region.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || event.target.closest("a")) return;
    event.preventDefault();
    move(event.target.closest("td"), step);
  });
}
