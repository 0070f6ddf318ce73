/* Polled parts of a page: announce changes to screen readers, keep scroll positions and open details across a swap,
   skip the poll while a control in the part has the focus, leave an unchanged part alone, and say so while the server
   is away. */
import { _ } from "./words.js";

const announcer = document.getElementById("announcer");
const connection = document.createElement("p");
const scrolled = new Map();
const opened = new Map();
let latest = "";

connection.className = "connection";
connection.setAttribute("role", "status");
document.body.append(connection);

function announce() {
  const text = document.querySelector("[data-announce]")?.dataset.announce ?? "";
  if (announcer && text !== announcer.textContent) announcer.textContent = text;
}

/** Whether a control has the focus that a swap would take away; htmx gives it back to links and summaries with an id. */
const held = (part) => part.contains(document.activeElement) && !document.activeElement.matches("a[id], summary[id]");

const isPoll = (element) => element.matches?.('[hx-trigger^="every"]');

/** Say whether the server is away; polls go on, so the words disappear by themselves. */
function showConnection(away) {
  const text = away ? _("Connection lost; trying again.") : "";
  if (text !== connection.textContent) connection.textContent = text;
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const part = event.detail.elt;
  if (isPoll(part) && (document.hidden || held(part))) event.preventDefault();
});
document.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr } }) => {
  if (isPoll(elt)) showConnection(xhr.status === 0 || xhr.status >= 502); // 502 to 504: a proxy without its server
});
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.serverResponse === latest) event.detail.shouldSwap = false;
  latest = event.detail.serverResponse;
  scrolled.clear();
  opened.clear();
  for (const table of event.target.querySelectorAll(".table-wrap, .bracket")) scrolled.set(table.ariaLabel, table.scrollLeft);
  for (const part of event.target.querySelectorAll("details[id]")) opened.set(part.id, part.open);
});
document.addEventListener("htmx:afterSettle", () => {
  for (const table of document.querySelectorAll(".table-wrap, .bracket")) table.scrollLeft = scrolled.get(table.ariaLabel) ?? table.scrollLeft;
  for (const part of document.querySelectorAll("details[id]")) part.open = opened.get(part.id) ?? part.open;
  announce();
});
announce();
