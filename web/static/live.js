/* Polled parts of a page: say aloud what changed, keep what is scrolled, and leave alone what somebody is using. */
const announcer = document.getElementById("announcer");
const scrolled = new Map();

function announce() {
  const text = document.querySelector("[data-announce]")?.dataset.announce ?? "";
  if (announcer && text !== announcer.textContent) announcer.textContent = text;
}

const isPoll = (element) => element.matches?.('[hx-trigger^="every"]');

document.addEventListener("htmx:beforeRequest", (event) => {
  const part = event.detail.elt;
  if (isPoll(part) && (document.hidden || part.contains(document.activeElement))) event.preventDefault();
});
document.addEventListener("htmx:beforeSwap", (event) => {
  scrolled.clear();
  for (const table of event.target.querySelectorAll(".table-wrap")) scrolled.set(table.ariaLabel, table.scrollLeft);
});
document.addEventListener("htmx:afterSettle", () => {
  for (const table of document.querySelectorAll(".table-wrap")) table.scrollLeft = scrolled.get(table.ariaLabel) ?? table.scrollLeft;
  announce();
});
announce();
