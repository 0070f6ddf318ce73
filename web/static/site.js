/* Small enhancements for every page: local times, menus that close, texts that can be copied. */
const stamp = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

function ago(date) {
  const seconds = Math.round((date - Date.now()) / 1000);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS.at(-1);
  return relative.format(Math.round(seconds / size), unit);
}

function localTimes(root) {
  for (const element of root.querySelectorAll("time[datetime]")) {
    const date = new Date(element.dateTime);
    if (Number.isNaN(date.valueOf())) continue;
    const old = Date.now() - date > 7 * 86400e3;
    element.title = stamp.format(date);
    element.textContent = old ? stamp.format(date) : ago(date);
  }
}

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== except) menu.open = false;
}

document.addEventListener("click", (event) => closeMenus(event.target.closest("details.menu")));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
});
document.addEventListener("htmx:afterSwap", (event) => localTimes(event.target.parentElement ?? document));
localTimes(document);

/** Copy a text; where the page may not reach the clipboard (plain http), leave it selected. */
async function copied(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return document.execCommand("copy");
  }
}

function offerCopies(root) {
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const done = await copied(button.parentElement.querySelector("pre"));
  button.textContent = done ? "Copied" : "Selected";
});
document.addEventListener("htmx:afterSwap", (event) => offerCopies(event.target.parentElement ?? document));
offerCopies(document);
