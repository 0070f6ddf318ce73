/* Live standings: rows glide to their new places and changed numbers are marked for a moment. Animations draw over the
   new rows and change nothing in the document, so they neither delay a swap nor reach screen readers. */
import { changes, moves } from "./moves.js";

const GLIDE = { duration: 700, easing: "ease-in-out" };
const MARK = { duration: 2500, easing: "ease-out" };
const still = matchMedia("(prefers-reduced-motion: reduce)");
let before = new Map();

function state() {
  const rows = [...document.querySelectorAll("[data-row]")];
  return new Map(rows.map((row) => [row.dataset.row, {
    row,
    top: row.getBoundingClientRect().top + scrollY,
    cells: [...row.children].map((cell) => cell.textContent.trim()),
  }]));
}

function animate() {
  const after = state();
  for (const [key, distance] of moves(before, after)) {
    after.get(key).row.animate([{ transform: `translateY(${distance}px)` }, { transform: "none" }], GLIDE);
  }
  const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent-soft");
  for (const [key, positions] of changes(before, after)) {
    for (const at of positions) after.get(key).row.children[at].animate([{ backgroundColor: accent }, { backgroundColor: "transparent" }], MARK);
  }
}

document.addEventListener("htmx:beforeSwap", () => { before = still.matches ? new Map() : state(); });
document.addEventListener("htmx:afterSettle", () => { if (before.size && !still.matches) animate(); });
