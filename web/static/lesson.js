/* The words of a lesson in the bar of its table. play.js says what is asked by the event "play-asked". */
import { h } from "./replay-deck.js";
import { stepNodes } from "./replay-text.js";
import { _ } from "./words.js";

const root = document.getElementById("table");
const bar = root.querySelector(".r-bar");
const box = bar.querySelector(".p-told");

root.addEventListener("play-asked", ({ detail: { asked, state, number, note, names, deck } }) => {
  if (!asked && state === "playing") return; // moves are being drawn, and the note says how they end
  const count = asked ? [h("b", {}, _("%(number)s of %(count)s", { number: number + 1, count: box.dataset.decisions })), " "] : [];
  bar.style.minBlockSize = "";
  box.replaceChildren(...count, ...stepNodes({ says: note }, names, deck));
  bar.style.minBlockSize = `${bar.offsetHeight}px`; // so that the felt stays as large while moves are drawn
  history.replaceState(null, "", `?number=${number}`);
});
