/* Beside the replay: what a language model was asked and answered for the move that it shows. Each note is a page of its own,
   to which the list of moves links; with a script those links lead the replay to the move. */
import { _ } from "./words.js";

const links = new Map([...document.querySelectorAll("[data-move]")].map((link) => [Number(link.dataset.move), link]));
const replay = document.getElementById("replay");
const panel = Object.assign(document.createElement("div"), { className: "m-now", tabIndex: 0 });
panel.setAttribute("role", "region");
panel.setAttribute("aria-label", _("Prompt and answer"));
replay.querySelector('[data-slot="move"]').append(panel);
let shown = null;

/** The note at an address, or a sentence if it could not be loaded. */
async function note(address) {
  const answer = await fetch(address).catch(() => null);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  return page?.querySelector("[data-note]") ?? says(_("The note could not be loaded."));
}

function says(text) {
  return Object.assign(document.createElement("p"), { className: "muted", textContent: text });
}

document.addEventListener("replay:step", async ({ detail: { move } }) => {
  shown = move;
  const link = links.get(move);
  panel.toggleAttribute("data-none", !link);
  if (link) panel.classList.add("m-begun");
  const found = link ? await note(link.href) : says(_("No model chose anything in this step."));
  if (shown === move) panel.replaceChildren(found); // the replay may have gone on meanwhile
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-move]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  replay.dispatchEvent(new CustomEvent("replay:go", { detail: { move: Number(link.dataset.move) } }));
  replay.scrollIntoView();
});
