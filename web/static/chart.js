/* Values of a chart under the pointer, a finger or the arrow keys, read from the rows of its table. */
import { nearest, step } from "./chart-spots.js";

const SVG = "http://www.w3.org/2000/svg";
const DRAWING = ".chart > svg";
const shown = new WeakMap();

/** The rows of a chart: place, and text such as "Table 12 · mu 24.1". */
function rowsOf(chart) {
  const heads = [...chart.querySelectorAll("thead th")].map((head) => head.textContent);
  return [...chart.querySelectorAll("tr[data-spot]")].map((row) => {
    const [x, y] = row.dataset.spot.split(" ").map(Number);
    const text = [...row.cells].map((cell, column) => `${heads[column]} ${cell.textContent}`).join(" · ");
    return { x, y, text };
  });
}

/** The number of the row that is shown, and all rows. */
function stateOf(svg) {
  if (!shown.has(svg)) shown.set(svg, { at: -1, rows: rowsOf(svg.parentElement) });
  return shown.get(svg);
}

function path(parent, kind) {
  const made = parent.querySelector(`.${kind}`) ?? parent.appendChild(document.createElementNS(SVG, "path"));
  made.setAttribute("class", kind);
  return made;
}

function show(svg, at) {
  const state = stateOf(svg);
  const row = state.rows[at];
  state.at = at;
  const inner = svg.querySelector("svg");
  path(inner, "cursor").setAttribute("d", `M${row.x} 0V100`);
  path(inner, "here").setAttribute("d", `M${row.x} ${row.y}h0`);
  svg.parentElement.querySelector(".chart-value").textContent = row.text;
  svg.setAttribute("aria-valuenow", at + 1);
  svg.setAttribute("aria-valuetext", row.text);
}

function hide(svg) {
  stateOf(svg).at = -1;
  for (const mark of svg.querySelectorAll(".cursor, .here")) mark.remove();
  svg.parentElement.querySelector(".chart-value").textContent = "";
}

/** Make charts with several values sliders, which assistive technology reads value by value. */
function enhance(root) {
  for (const svg of root.querySelectorAll(DRAWING)) {
    const count = stateOf(svg).rows.length;
    if (count < 2) continue;
    const last = stateOf(svg).rows[count - 1].text;
    const attributes = { tabindex: 0, role: "slider", "aria-valuemin": 1, "aria-valuemax": count, "aria-valuenow": count, "aria-valuetext": last };
    for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  }
}

const drawing = (event) => event.target.closest?.(`${DRAWING}[role=slider]`);

function point(event) {
  const svg = drawing(event);
  if (!svg) return;
  const box = svg.getBoundingClientRect();
  show(svg, nearest(stateOf(svg).rows, ((event.clientX - box.left) / box.width) * 100));
}

document.addEventListener("pointermove", point);
document.addEventListener("pointerdown", point);
document.addEventListener("pointerout", (event) => {
  const svg = drawing(event);
  if (svg && event.pointerType === "mouse" && !svg.contains(event.relatedTarget) && svg !== document.activeElement) hide(svg);
});
document.addEventListener("focusin", (event) => {
  const svg = drawing(event);
  if (svg && stateOf(svg).at < 0) show(svg, stateOf(svg).rows.length - 1);
});
document.addEventListener("focusout", (event) => { const svg = drawing(event); if (svg) hide(svg); });
document.addEventListener("keydown", (event) => {
  const svg = drawing(event);
  if (!svg || event.ctrlKey || event.metaKey || event.altKey) return;
  const { at, rows } = stateOf(svg);
  const to = step(event.key, at < 0 ? rows.length - 1 : at, rows.length);
  if (to === undefined) return;
  event.preventDefault();
  show(svg, to);
});
document.addEventListener("htmx:afterSwap", () => enhance(document));
enhance(document);
