/* What belongs to the move that the replay shows: the legal actions, the time it took, what its seat knew, and for the
   bot's author what the bot printed; and what the other seatings made of the same cards. Follows the replay by its event
   `replay:step`. */
import { Traveller, keepStep } from "./replay-deals.js";
import { Deck, breakable, h } from "./replay-deck.js";
import { actionNodes, known, took } from "./replay-known.js";
import { fetchJson } from "./replay-state.js";
import { FAULTS, JUDGED, capital, nodes, seatNames } from "./replay-text.js";
import { _, ngettext, number, pgettext, woven } from "./words.js";

const FOLDED = 4; // rows with more lines are folded

class Moves {
  #parts = new Map();
  #open = new Set(["known"]);
  #seat = null;

  /** @param slot to draw in; addresses of the moves and of what was printed; `steps` in each part of the moves; `onSeat` is called with the seat that is shown. */
  constructor(slot, { moves, steps, printed }, onSeat) {
    Object.assign(this, { slot, address: moves, steps: Number(steps), onSeat });
    this.printed = printed ? fetchJson(printed) : Promise.resolve({});
    slot.addEventListener("toggle", ({ target }) => this.#remember(target), true);
    slot.addEventListener("click", ({ target }) => this.#choose(target.closest("[data-seat]")));
  }

  /** Show a step of the replay: its moves, or that it has none. */
  async show(detail) {
    this.detail = detail;
    if (detail.move === null) return this.#draw([], {});
    try {
      const [part, printed] = await Promise.all([this.#part(Math.floor(detail.step / this.steps)), this.printed]);
      if (this.detail !== detail) return undefined; // the replay has gone on meanwhile
      return this.#draw(part.moves.filter(({ step }) => step === detail.step), part, printed);
    } catch (error) {
      return this.slot.replaceChildren(h("p", { class: "muted" }, _("What this move was chosen from could not be loaded: %(error)s.", { error: error.message })));
    }
  }

  #part(part) {
    if (!this.#parts.has(part)) this.#parts.set(part, this.#fetchPart(part));
    return this.#parts.get(part);
  }

  async #fetchPart(at) {
    try {
      const part = await fetchJson(this.address.replace(/0\.json$/, `${at}.json`));
      const decks = JSON.parse(document.getElementById("replay").dataset.decks);
      return { ...part, names: seatNames(part.seats.map((name) => ({ name }))), deck: new Deck(part.deck, decks[part.deck]) };
    } catch (error) {
      this.#parts.delete(at); // the next step tries again
      throw error;
    }
  }

  #remember({ dataset: { fold }, open }) {
    if (fold) this.#open[open ? "add" : "delete"](fold);
  }

  #choose(button) {
    if (!button) return;
    this.#seat = Number(button.dataset.seat);
    this.show(this.detail).then(() => this.slot.querySelector(`[data-seat="${this.#seat}"]`)?.focus());
  }

  /** The move to show of several simultaneous ones: of the seat chosen here, or of the seat whose knowledge the table shows. */
  #chosen(moves) {
    const of = (wanted) => moves.find(({ seat }) => seat === wanted);
    return of(this.#seat) ?? of(this.detail.viewer) ?? moves[0];
  }

  #draw(moves, part, printed = {}) {
    const move = this.#chosen(moves);
    this.onSeat(this.detail, move?.seat);
    this.slot.toggleAttribute("data-none", !move);
    if (move) this.slot.classList.add("m-begun");
    if (!move) return this.slot.replaceChildren(h("h2", {}, _("Move")), h("p", { class: "muted" }, _("No bot chooses anything in this step.")));
    const { names, deck } = part;
    return this.slot.replaceChildren(
      h("h2", {}, _("Move %(number)s", { number: move.move }), h("span", { class: "muted" }, " ", ...breakable(names[move.seat]))),
      ...(moves.length > 1 ? [seatTabs(moves, move, names)] : []),
      ...fault(move, part),
      ...choice(move, deck, this.detail.analysis?.get(move.move)),
      ...time(move, part),
      ...output(printed[move.seat]?.[move.move], names[move.seat]),
      this.#known(move, part),
      this.#raw(move),
    );
  }

  #fold(name, title, ...content) {
    return h("details", { "data-fold": name, open: this.#open.has(name) ? "" : null }, h("summary", {}, ...breakable(title)), ...content);
  }

  #known({ move, seat, view }, { names, deck }) {
    const rows = known(view, deck).flatMap(({ label, lines }) => [h("dt", {}, label), h("dd", {}, this.#lines(label, lines, names, deck))]);
    const name = names[seat];
    const link = () => h("a", { href: `#move=${move}&view=${seat}` }, _("Show the table as %(name)s saw it", { name }));
    const seen = this.detail.viewer === seat ? null : h("p", {}, link());
    return this.#fold("known", _("What %(name)s knew", { name }), h("dl", { class: "m-known" }, ...rows), ...(seen ? [seen] : []));
  }

  #lines(label, lines, names, deck) {
    const list = h("ul", {}, ...lines.map((line) => h("li", {}, ...nodes(line, names, deck))));
    return lines.length > FOLDED ? this.#fold(label, _("Show %(count)s", { count: lines.length }), list) : list;
  }

  /** The view as it was sent. Written when it is opened: most visitors never do, and it is the longest text here. */
  #raw({ view }) {
    const text = h("code");
    const copy = h("button", { class: "button quiet", type: "button", "data-copy": "" }, _("Copy"));
    const fold = this.#fold("raw", _("The view as JSON"), h("div", {}, copy, h("pre", { tabindex: 0, role: "group", "aria-label": _("View") }, text)));
    fold.classList.add("blob");
    const fill = () => { if (fold.open) text.textContent = JSON.stringify(view, null, 2); };
    fold.addEventListener("toggle", fill);
    fill();
    return fold;
  }
}

/** Buttons to choose among simultaneous moves. */
function seatTabs(moves, shown, names) {
  const button = ({ seat }) => h(
    "button", { type: "button", class: "button quiet", "data-seat": seat, "aria-pressed": String(seat === shown.seat) }, ...breakable(names[seat]),
  );
  return h("div", { class: "m-seats", role: "group", "aria-label": _("Simultaneous moves") }, ...moves.map(button));
}

const at = ({ kind, move }) => _("%(kind)s at move %(move)s", { kind: FAULTS[kind], move });

/** What happened if the bot failed here or earlier; for its author, a link to the reason. */
function fault({ move, seat }, { faults, names }) {
  const failed = faults.find((one) => one.seat === seat && one.move <= move);
  if (!failed) return [];
  const why = document.getElementById(`private-${seat}`) ? [" ", h("a", { href: `#private-${seat}` }, _("Why it failed"))] : [];
  const says = failed.move === move
    ? woven(_("%(kind)s: %(bot)s failed here. The arena plays for it from here on."), { kind: h("b", {}, FAULTS[failed.kind]), bot: names[seat] })
    : woven(_("The arena plays for %(bot)s since its %(fault)s."), { bot: names[seat], fault: h("a", { href: `#move=${failed.move}` }, at(failed)) });
  return [h("p", { class: "m-fault" }, ...says, ...why)];
}

/** The legal actions, with the chosen one marked; each with its worth if it is known. */
function choice({ action, view, arena }, deck, worth) {
  const said = arena ? _("played by the arena") : _("chosen");
  const item = (token, ...more) => h("li", { class: token === action ? "chosen" : null, "aria-current": token === action ? "true" : null },
    h("span", {}, ...actionNodes(token, deck), token === action ? h("span", { class: "visually-hidden" }, ` ${said}`) : null), ...more);
  const title = view.legal.length === 1 ? _("Only legal action") : ngettext("%(num)s legal action", "%(num)s legal actions", view.legal.length);
  if (!worth) return [h("h3", {}, title), h("ul", { class: "m-legal" }, ...view.legal.map((token) => item(token)))];
  const ranked = worth.actions.toSorted((one, other) => other.points - one.points);
  const bars = barsOf(ranked);
  return [verdict(worth, deck), h("h3", {}, _("%(actions)s, with the points that each is below the best", { actions: title })),
    h("ul", { class: "m-legal m-worth" }, ...ranked.map((one) => item(one.token, ...bars(one))))];
}

/** The sentence about a decision. */
function verdict({ mark, action, best, lost, margin }, deck) {
  if (action === best) return h("p", { class: "m-verdict" }, h("b", { class: "a-mark best" }, _("Best action")));
  const text = mark === "good" ? _("%(mark)s: not certainly worse than %(best)s.") : _("%(mark)s: %(points)s points worse than %(best)s.");
  const points = `${number(lost, 2)} ± ${number(margin, 2)}`;
  return h("p", { class: "m-verdict" }, ...woven(text, { mark: h("b", { class: `a-mark ${mark}` }, capital(JUDGED[mark])), points, best: actionNodes(best, deck) }));
}

/** A function that draws the bar and the number of an action, on an axis for all of them. Differences are more certain than points. */
function barsOf(actions) {
  const low = Math.min(...actions.map(({ points, margin }) => points - margin));
  const span = Math.max(...actions.map(({ points, margin }) => points + margin)) - low || 1;
  const digits = span < 3 ? 2 : 1;
  const part = (points) => (points - low) / span;
  const best = actions[0].points;
  return ({ points, margin }) => {
    const drawn = h("span", { class: "m-bar", "aria-hidden": "true" });
    for (const [name, value] of [["--low", points - margin], ["--at", points], ["--high", points + margin]]) drawn.style.setProperty(name, part(value));
    const below = h("small", {}, ` ± ${number(margin, digits)}`);
    return [drawn, h("span", { class: "m-points" }, points === best ? pgettext("decision", "best") : `−${number(best - points, digits)}`, below)];
  };
}

/** The time that the answer took, as a part of the bank. Nothing if it was not measured. */
function time({ view, cpu, left }, { bank }) {
  if (cpu === undefined) return view.legal.length === 1 ? [h("p", { class: "muted" }, _("Forced: the bot was not asked."))] : [];
  const whole = Math.max(bank, left);
  const bar = h("div", { class: "m-bank", "aria-hidden": "true" }, h("span", { class: "rest" }), h("span", { class: "used" }));
  bar.style.setProperty("--rest", Math.max(left - cpu, 0) / whole);
  bar.style.setProperty("--used", Math.min(cpu, left) / whole);
  const text = _("%(time)s of CPU time; about %(left)s left in the bank");
  return [h("h3", {}, _("Time")), h("p", { class: "m-time" }, ...woven(text, { time: h("b", {}, took(cpu)), left: took(Math.max(left - cpu, 0)) })), bar];
}

/** What the bot printed while it chose. */
function output(text, name) {
  if (!text) return [];
  const label = _("Output of %(name)s at this move", { name });
  return [h("h3", {}, _("Printed")), h("pre", { class: "m-output", tabindex: 0, role: "group", "aria-label": label }, h("code", {}, text))];
}

const region = (kind, label) => h("div", { class: kind, role: "region", tabindex: 0, "aria-label": label });
const { dataset } = document.querySelector("script[data-moves]");
const [now, others] = [region("m-now", _("The move")), region("m-others", _("The same cards in other seatings"))];
document.querySelector('[data-slot="move"]').append(now);
if (dataset.deals) document.querySelector('[data-slot="others"]').append(others);
others.style.setProperty("--rows", dataset.seatings); // its room is kept until the deals have arrived
let traveller = null;
let shown = null;
const moves = new Moves(now, dataset, (detail, seat) => {
  shown = { ...detail, seat: seat ?? shown?.seat ?? detail.viewer ?? 0 };
  keepStep(shown.step, shown.viewer, traveller?.seatings);
  traveller?.show(shown.step, shown.seat, shown.viewer);
});
document.addEventListener("replay:step", ({ detail }) => moves.show(detail));

if (dataset.deals) {
  traveller = new Traveller(others, await fetchJson(dataset.deals), document.getElementById("luck"));
  if (shown) moves.onSeat(shown, shown.seat);
}
