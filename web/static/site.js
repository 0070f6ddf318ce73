/* Small enhancements for every page: local times, menus that close, buttons that copy a text. */
import { ago, yourTime } from "./text.js";
import { _, dates, language } from "./words.js";

/* As the reader's country writes dates, if its language is that of the page. */
const country = navigator.languages.find((tag) => tag.split("-")[0] === language.split("-")[0]) ?? dates;
const day = new Intl.DateTimeFormat(country, { dateStyle: "medium" });
const stamp = new Intl.DateTimeFormat(country, { dateStyle: "medium", timeStyle: "short" });

function localTimes(root) {
  for (const element of root.querySelectorAll("time[datetime]")) {
    const date = new Date(element.dateTime);
    if (Number.isNaN(date.valueOf())) continue;
    const seconds = Math.round((date - Date.now()) / 1000);
    element.title = stamp.format(date);
    if (element.dataset.beside) {
      const own = yourTime(date, element.dataset.beside);
      const yours = Object.assign(document.createElement("span"), { className: "yours", textContent: ` ${_("your time")}` });
      element.replaceChildren(...(own ? [own, yours] : []));
      continue;
    }
    const past = "day" in element.dataset ? day : stamp;
    if ("exact" in element.dataset || seconds < -7 * 86400) element.textContent = past.format(date);
    else element.textContent = seconds > 60 * 86400 ? day.format(date) : ago(seconds);
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

/** Copy the text of an element or a field; without access to the clipboard (plain http), leave it selected. */
async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.value ?? element.textContent);
    return true;
  } catch {
    if (element.select) element.select();
    else getSelection().selectAllChildren(element);
    return document.execCommand("copy");
  }
}

function offerCopies(root) {
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const done = await copyText((button.closest(".field") ?? button.parentElement).querySelector("pre, code, input, textarea"));
  button.textContent = done ? _("Copied") : _("Selected");
});
document.addEventListener("htmx:afterSwap", (event) => offerCopies(event.target.parentElement ?? document));
offerCopies(document);
