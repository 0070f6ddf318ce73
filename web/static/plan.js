/* Tournament form: search among the bots, and the visitor's time zone. */
import { matches, searchWords } from "./text.js";
import { _ } from "./words.js";

for (const search of document.querySelectorAll("[data-filter]")) {
  const chooser = search.closest(".chooser");
  const labels = [...chooser.querySelectorAll("label")];
  const count = chooser.querySelector("[data-filter-count]");
  const show = () => {
    const wanted = searchWords(search.value);
    for (const label of labels) label.hidden = !matches(label.textContent, wanted);
    const shown = labels.filter((label) => !label.hidden).length;
    const chosen = labels.filter((label) => label.querySelector("input").checked).length;
    count.textContent = wanted.length ? _("%(shown)s found, %(chosen)s chosen", { shown, chosen }) : _("%(chosen)s chosen", { chosen });
  };
  search.parentElement.hidden = false;
  search.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
  search.addEventListener("input", (event) => {
    event.stopPropagation(); // the search is not part of the form
    show();
  });
  chooser.addEventListener("change", show);
  show();
}

const zone = document.querySelector("[data-zone]");
if (zone && !zone.dataset.given) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? zone.value;
