/* The traveller beside the replay (what every bot made of the cards of one seat), luck and skill by deal, and links to
   other seatings that keep the step. */
import { dealOf } from "./replay-state.js";
import { breakable, h } from "./replay-deck.js";
import { holders, luckAndSkill, sameStep, signed, totals, worth } from "./replay-luck.js";
import { seatNames } from "./replay-text.js";
import { _, number, woven } from "./words.js";

const short = (points) => number(points, 1);

export class Traveller {
  /** @param box the element to draw in; `seatings` of one set of boards, the shown match first; `section` for luck and skill. */
  constructor(box, { seatings }, section) {
    Object.assign(this, { box, seatings, here: seatings[0], rows: [] });
    if (section) this.#luck(section);
  }

  get #names() { return seatNames(this.here.names.map((name) => ({ name }))); }

  /** Show what all seatings made of the cards that a seat holds at a step. */
  show(step, seat, viewer) {
    const deal = dealOf(this.here.starts, step);
    for (const [index, row] of this.rows.entries()) row.classList.toggle("mine", index === deal);
    if (!this.here.scores[deal]) return this.box.replaceChildren();
    const cards = worth(this.seatings, deal)[seat];
    const bot = ({ seating, name }) => h("a", { href: `${seating.match}#${fragment(sameStep(this.here, seating, step), viewer)}` }, ...breakable(name));
    const rows = holders(this.seatings, deal, seat).map((one) => h("tr", { class: one.here ? "mine" : null },
      h("th", { scope: "row" }, ...(one.here ? [...breakable(one.name), h("small", {}, ` ${_("here")}`)] : [bot(one)])),
      h("td", { class: "num" }, String(one.points)),
      h("td", { class: "num" }, signed(one.points - cards))));
    const head = h("tr", {}, ...[_("Bot"), _("Points"), _("Skill")].map((word, index) => h("th", { scope: "col", class: index ? "num" : null }, word)));
    return this.box.replaceChildren(
      h("h3", {}, ...woven(_("The cards of %(name)s in every seating"), { name: breakable(this.#names[seat]) })),
      h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)),
      h("p", { class: "muted" }, _("These cards were worth %(points)s on average.", { points: short(cards) })),
    );
  }

  /** Fill the table of the section with the deals of this match. */
  #luck(section) {
    const deals = luckAndSkill(this.seatings);
    const names = this.#names;
    const cell = ({ cards, skill }) => h("td", { class: "num" }, h("b", {}, signed(skill)), h("small", {}, ` ${_("cards %(points)s", { points: short(cards) })}`));
    const titled = (nth) => _("%(deal)s %(number)s", { deal: this.here.word, number: nth });
    this.rows = deals.map((cells, deal) => h("tr", {},
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", "data-go": this.here.starts[deal] }, titled(deal + 1))), ...cells.map(cell)));
    const whole = h("tr", {}, h("th", { scope: "row" }, _("Total")), ...totals(deals).map(cell));
    const head = h("tr", {}, h("th", { scope: "col" }, this.here.word), ...names.map((name) => h("th", { scope: "col", class: "num" }, ...breakable(name))));
    section.querySelector("table").replaceChildren(h("thead", {}, head), h("tbody", {}, ...this.rows, whole));
    section.hidden = false;
    section.addEventListener("click", ({ target }) => goTo(target.closest("[data-go]")?.dataset.go));
  }
}

function goTo(step) {
  if (step !== undefined) document.getElementById("replay").dispatchEvent(new CustomEvent("replay:go", { detail: { step: Number(step) } }));
}

/** The fragment of a position: what the present one says, with another step. */
function fragment(step, viewer) {
  const words = new URLSearchParams(location.hash.slice(1));
  for (const key of ["move", "step", "view"]) words.delete(key);
  return new URLSearchParams({ step, ...(viewer === null ? {} : { view: viewer }), ...Object.fromEntries(words) });
}

/** Let links to the same deals in other seatings lead to the step that the replay shows. */
export function keepStep(step, viewer, seatings = []) {
  for (const link of document.querySelectorAll("[data-same-step] a")) {
    const there = seatings.find(({ match }) => new URL(link.href).pathname.endsWith(`/${match}`));
    link.hash = fragment(there ? sameStep(seatings[0], there, step) : step, viewer);
  }
}
