/* Crosstable: show the details of the cell under the pointer or the focus; arrow keys move between cells. */
import { pairing } from "./text.js";
import { _ } from "./words.js";

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const region = document.querySelector(".crosstable");
const readout = document.getElementById("readout");

function describe(cell) {
  if (cell) readout.replaceChildren(...description(cell));
}

/* The cell of the same two bots on the other side of the diagonal: in large tables it alone has the number of tables. */
function mirrored(cell) {
  return region.querySelector("tbody").rows[cell.cellIndex - 1].cells[cell.parentElement.sectionRowIndex + 1];
}

function description(cell) {
  const [row, head] = [cell.parentElement, region.querySelector("thead tr").cells[cell.cellIndex]];
  const [name, other] = [row.querySelector(".bot").textContent, head.firstElementChild.title];
  const { i: interval, s: likelihood } = cell.dataset;
  const tables = cell.dataset.t ?? mirrored(cell).dataset.t;
  if (!tables) return [cell.className ? name : _("%(name)s and %(other)s have not met.", { name, other })];
  const link = document.createElement("a");
  link.href = `${region.dataset.pairs}/${row.dataset.id}/${head.dataset.id}`;
  link.textContent = _("Head to head");
  return [pairing(name, other, { share: cell.textContent.trim(), tables, interval, likelihood }), link];
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
  region.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") describe(event.target.closest("td")); });
  region.addEventListener("click", (event) => describe(event.target.closest("td")));
  region.addEventListener("focusin", (event) => describe(event.target.closest("td")));
  region.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || event.target.closest("a")) return;
    event.preventDefault();
    move(event.target.closest("td"), step);
  });
}
