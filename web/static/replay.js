/* The replay page: load a match, hold the position (step, viewer, seat at the bottom), and draw it.
   replay-state.js has the states, replay-layout.js sizes, replay-draw.js draws, replay-text.js words, replay-deck.js has the
   cards, replay-controls.js handles buttons, keys and swipes. */
import { dealOf, fetchJson, stateAt, stepOf, turnAfter } from "./replay-state.js";
import { Table, drawFacts, drawLast, drawResult, drawScores, fillScreen } from "./replay-draw.js";
import { Controls } from "./replay-controls.js";
import { Curve } from "./replay-curve.js";
import { Analysis } from "./replay-analysis.js";
import { Deck, h } from "./replay-deck.js";
import { FAULTS, seatNames, stepNodes, stepText } from "./replay-text.js";
import { _, within } from "./words.js";

const PUBLIC = "public"; // the viewer who sees open cards only

class Replay {
  at = -1;
  viewer = null;
  south = 0;

  constructor(root, data) {
    const $ = (selector) => root.querySelector(selector);
    Object.assign(this, data, { root, $, names: seatNames(data.seats), home: Number(root.dataset.south) });
    this.deck = new Deck(data.game.deck, JSON.parse(root.dataset.decks)[data.game.deck]);
    this.starts = this.deals.map(({ step }) => step);
    this.tricks = this.steps.flatMap(({ cleared, won }, step) => (cleared || won ? [step] : []));
    this.scrubber = $(".r-scrub input");
    this.scrubber.max = this.last;
    this.table = new Table($(".r-felt"), this.names, this.facts, this.deck, this.room);
    this.faultSteps = this.faults.map((fault) => ({ ...fault, step: stepOf(this.steps, fault.move) }));
    $('[data-choose="deal"]').append(...this.deals.map(({ name }, deal) => h("option", { value: deal }, name)));
    $('[data-choose="view"]').append(...this.names.map((name, seat) => h("option", { value: seat }, _("Seen by %(name)s", { name }))));
    $(".r-help [data-part]").textContent = within(this.facts[0].label);
    this.#ticks();
    this.controls = new Controls(this);
    this.analysis = new Analysis(this);
    this.#curve();
    this.#listen();
    this.follow();
  }

  get last() { return this.steps.length - 1; }

  #ticks() {
    const faults = this.faultSteps.map(({ step }) => step);
    this.#tick("trick", this.tricks);
    this.#tick("deal", this.starts.slice(1));
    this.#tick("fault", faults);
  }

  #tick(kind, steps) {
    const tick = (step) => {
      const mark = h("span", { class: kind });
      mark.style.setProperty("--p", this.last ? step / this.last : 0);
      return mark;
    };
    this.$(".r-ticks").append(...steps.map(tick));
  }

  /** Show an analysis that has arrived. */
  analysed() {
    this.#tick("mistake", this.analysis.steps);
    this.logged = null;
    this.go(this.at, { write: false });
  }

  #curve() {
    const score = this.facts.findLast((fact) => fact.per_seat && fact.kind === "number");
    const points = this.deals.filter(({ scores }) => scores);
    this.curve = new Curve(this.$(".r-course"), points, this.names, { label: score?.label, deal: this.facts[0].label }, (step) => this.controls.seek(step));
  }

  #listen() {
    this.root.addEventListener("replay:go", ({ detail }) => this.#goTo(detail));
    addEventListener("hashchange", () => this.#jump());
    document.addEventListener("click", ({ target }) => {
      if (target.closest("a")?.hash === location.hash) this.#jump(); // no hashchange event if the address is the same
    });
  }

  /* Position */

  /** Go to the position in the address: #step=17 or #move=37, &view=1 or &view=public, &south=2 (also accepted as a query). */
  follow() {
    const asked = new URLSearchParams(location.hash.slice(1) || location.search);
    const number = (key, limit) => (/^\d+$/.test(asked.get(key) ?? "") && Number(asked.get(key)) <= limit ? Number(asked.get(key)) : null);
    const seat = (key) => number(key, this.names.length - 1);
    const move = number("move", Number.MAX_SAFE_INTEGER);
    const shows = move === null ? -1 : stepOf(this.steps, move);
    this.viewer = asked.get("view") === PUBLIC ? PUBLIC : seat("view");
    this.south = seat("south") ?? seat("view") ?? this.home;
    this.table.turn(this.south);
    this.go(shows >= 0 ? shows : number("step", this.last) ?? 0, { write: false });
  }

  /** The words of an address of this position. */
  #words() {
    const words = new URLSearchParams({ step: this.at });
    if (this.viewer !== null) words.set("view", this.viewer);
    const seated = typeof this.viewer === "number" ? this.viewer : this.home;
    if (this.home || this.south !== seated) words.set("south", this.south); // others who open the address have another seat of their own
    return words;
  }

  /** The address of this position on the page as it is open. */
  address() { return `${location.pathname}#${this.#words()}`; }

  /** The address to share: the server sees the step, so that previews of the link show it. */
  link() { return new URL(`${this.root.dataset.page ?? location.pathname}?${this.#words()}`, location.href).href; }

  /** The address of a picture of this position, from that of the first step. */
  picture(first) {
    const words = this.#words();
    words.delete("step");
    return `${first.replace(/\d+(?=\.png$)/, this.at)}${words.size ? `?${words}` : ""}`;
  }

  /** Show a step. The address is updated with a delay, because browsers limit the rate of changes. */
  go(step, { write = true } = {}) {
    const to = Math.min(Math.max(step, 0), this.last);
    const onward = to === this.at + 1 && !this.starts.includes(to); // cards of another deal do not come from this one
    this.at = to;
    this.#draw(onward);
    clearTimeout(this.writing);
    if (write) this.writing = setTimeout(() => history.replaceState(history.state, "", this.address()), 250);
  }

  /** Seat a player at the bottom. */
  sit(seat) {
    this.south = seat;
    this.table.turn(seat);
    this.go(this.at);
  }

  /** Show what a seat knows; null for everything, or `PUBLIC`. */
  see(viewer) {
    this.viewer = viewer;
    this.sit(typeof viewer === "number" ? viewer : this.south);
  }

  #jump() {
    if (!/[#&](step|move|view)=/.test(location.hash)) return; // another part of the page, such as the target of the skip link
    this.controls.pause();
    this.follow();
    if (!this.inSight()) this.root.scrollIntoView();
  }

  /** Go where another part of the page asks: {step}, or {move} as an index in the record. */
  #goTo({ step, move }) {
    const to = step ?? stepOf(this.steps, move);
    if (to >= 0) this.controls.seek(to);
  }

  inSight() {
    const { top, bottom } = this.$(".r-felt").getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  }

  /* Drawing */

  #draw(animate) {
    const state = stateAt(this, this.at);
    const ranks = this.at === this.last ? this.ranks : null;
    const faults = new Map(this.faultSteps.filter(({ step }) => step >= 0 && step <= this.at).map(({ seat, kind }) => [seat, kind]));
    const winners = ranks && this.names.length > 1 ? this.names.flatMap((name, seat) => (ranks[seat] === 1 ? [seat] : [])) : [];
    this.table.draw(state, { at: this.at, viewer: this.viewer, south: this.south, turn: turnAfter(this.steps, this.at), faults, winners }, animate);
    drawFacts(this.$(".r-facts"), this.facts, state.facts, this.deck);
    drawScores(this.$(".r-scores table"), this.names, this.facts, state.facts, winners, this.deck);
    drawResult(this.$(".r-result"), this.names, this.scores, ranks);
    drawLast(this.$(".r-last"), state.last, this.names, this.deck);
    this.curve.mark(this.at, this.last);
    this.analysis.curve?.mark(this.at);
    this.#say();
    this.#log();
    this.#announce();
  }

  /** Index in the record of the first move of this step, or of the next one if this step is the arena's; of the last one at the end. */
  #next() {
    const before = this.steps.slice(0, this.at).findLast(({ move }) => move !== null);
    const last = this.steps.findLast(({ move }) => move !== null);
    return Math.min(before ? before.move + 1 : 0, last ? last.move : 0);
  }

  /** Tell other parts of the page which step is shown: `move` is its index in the record, `seat` whose action it is, both null for the
      arena's steps; `next` is as above, `link` the address to share, `analysis` has the decisions by move. */
  #announce() {
    const { move, seat } = this.steps[this.at];
    const detail = { step: this.at, move, seat, viewer: this.viewer, next: this.#next(), link: this.link(), analysis: this.analysis.byMove };
    this.root.dispatchEvent(new CustomEvent("replay:step", { detail, bubbles: true }));
  }

  /** The sentence, and everything that the controls show. */
  #say() {
    const step = this.steps[this.at];
    const fault = this.faultSteps.find((one) => one.step === this.at);
    const caption = this.$(".r-caption");
    caption.replaceChildren(...stepNodes(step, this.names, this.deck), ...(fault ? [h("span", { class: "r-fault" }, ` ${this.#faultText(fault)}`)] : []));
    caption.scrollTop = 0;
    this.scrubber.value = this.at;
    this.scrubber.style.setProperty("--p", this.last ? this.at / this.last : 0);
    const words = { number: this.at + 1, count: this.last + 1, text: stepText(step, this.names, this.deck) };
    this.scrubber.setAttribute("aria-valuetext", _("Step %(number)s of %(count)s: %(text)s", words));
    this.$('[data-choose="deal"]').value = dealOf(this.starts, this.at);
    this.$('[data-choose="view"]').value = this.viewer ?? "";
    const picture = this.$(".r-picture");
    if (picture) picture.href = this.picture(picture.getAttribute("href").split("?")[0]);
    for (const name of ["previousDeal", "previousTrick", "previous"]) this.#allow(name, this.at > 0);
    for (const name of ["next", "nextTrick", "nextDeal"]) this.#allow(name, this.at < this.last);
  }

  /** A disabled button would lose the focus at either end, so it is only marked as disabled. */
  #allow(name, allowed) { this.$(`[data-do="${name}"]`).setAttribute("aria-disabled", String(!allowed)); }

  #faultText({ seat, kind }) { return _("%(bot)s failed (%(kind)s); the arena plays this seat from here on.", { bot: this.names[seat], kind: FAULTS[kind] }); }

  /* The log of the current deal */

  #log() {
    const deal = dealOf(this.starts, this.at);
    const list = this.$(".r-log ol");
    if (this.logged !== deal) this.#fillLog(list, deal);
    this.logged = deal;
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const entry = list.children[this.at - this.starts[deal]];
    entry.firstChild.setAttribute("aria-current", "step");
    const [top, bottom] = [entry.offsetTop, entry.offsetTop + entry.offsetHeight];
    if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }

  #fillLog(list, deal) {
    const [from, to] = [this.starts[deal], this.starts[deal + 1] ?? this.steps.length];
    this.$(".r-log h2").textContent = this.starts.length > 1 ? _("%(deal)s, step by step", { deal: this.deals[deal].name }) : _("Step by step");
    list.start = from + 1;
    list.replaceChildren(...this.steps.slice(from, to).map((step, index) => this.#entry(step, from + index)));
  }

  #entry(step, index) {
    const faults = this.faultSteps.filter((fault) => fault.step === index);
    const button = h("button", { type: "button", "data-step": index }, ...stepNodes(step, this.names, this.deck), ...this.analysis.sign(index),
      ...faults.map((fault) => h("span", { class: "r-fault" }, ` ${this.#faultText(fault)}`)));
    return h("li", { class: step.move === null ? "arena" : null }, button);
  }
}

async function fetchReplay(source) {
  const data = await fetchJson(source);
  if (!data.steps?.length) throw new Error(_("the match has no steps"));
  return data;
}

/** Load the match and start the replay, or show the error with a button to retry. */
async function start(root) {
  const [problem, ...parts] = [".r-problem", ".r-body", ".r-side", ".r-below"].map((part) => root.querySelector(part));
  const show = (shown) => { for (const part of parts) part.hidden = !shown; };
  try {
    problem.hidden = true;
    root.setAttribute("aria-busy", "true");
    const data = await fetchReplay(root.dataset.src);
    show(true);
    new Replay(root, data);
  } catch (error) {
    show(false);
    problem.hidden = false;
    problem.querySelector("p").textContent = _("The replay could not be loaded: %(error)s.", { error: error.message });
  } finally {
    root.setAttribute("aria-busy", "false");
  }
}

const root = document.getElementById("replay");
root.querySelector('[data-do="retry"]').addEventListener("click", () => start(root));
fillScreen(root);
await start(root);
