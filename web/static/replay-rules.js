/* The rules of the game in a drawer, opened at the part that matters for the shown step. */

import { _ } from "./words.js";

/** Heading of the rules that a step belongs to: that of its first event with one in `parts`, else of the last one before it. */
export function partOf(steps, at, parts) {
  const named = ({ kinds }) => kinds.find((kind) => kind in parts);
  const step = steps.slice(0, at + 1).findLast(named);
  return step ? parts[named(step)] : null;
}

async function load(text, address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(_("the server answered %(status)s", { status: answer.status }));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  text.replaceChildren(...page.querySelector("article.prose").childNodes);
}

function show(text, part) {
  const headings = [...text.querySelectorAll("h1, h2, h3")];
  text.querySelector(".here")?.classList.remove("here");
  const heading = headings.find((one) => one.textContent === part);
  heading?.classList.add("here");
  text.scrollTop = heading ? heading.offsetTop - text.offsetTop : 0;
}

/** Open the drawer at the part of a step; the text is loaded the first time. */
export async function openRules(root, steps, at) {
  const drawer = root.querySelector(".r-rules");
  if (!drawer) return;
  const text = drawer.querySelector(".r-rules-text");
  drawer.showModal();
  try {
    if (!text.querySelector("h2")) await load(text, root.dataset.rules);
    show(text, partOf(steps, at, JSON.parse(root.dataset.parts)));
  } catch (error) {
    text.textContent = _("The rules could not be loaded: %(error)s.", { error: error.message });
  }
}
