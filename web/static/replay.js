/* The replay page: load a match, hold the position (step, viewer, seat at the bottom), and handle controls and keys.
   replay-fold.js computes states, replay-draw.js draws them, replay-text.js words them, replay-deck.js has the cards. */
import { dealNames, dealOf, deals, factsBefore, stateAt, stepOf, turnAfter } from "./replay-fold.js";
import { Table, drawFacts, drawLast, drawResult, drawScores } from "./replay-draw.js";
import { Deck, h } from "./replay-deck.js";
import { seatNames, stepNodes, stepText } from "./replay-text.js";

const BEAT = 1150; // milliseconds per step at speed 1

class Replay {
  at = -1;
  viewer = null;
  south = 0;
  timer = null;
  tallest = 0;

  constructor(root, data) {
    const $ = (selector) => root.querySelector(selector);
    Object.assign(this, data, { root, $, names: seatNames(data.seats) });
    this.deck = new Deck(data.game.deck, JSON.parse(root.dataset.decks)[data.game.deck]);
    this.starts = deals(this.steps);
    this.before = factsBefore(this.steps, this.starts);
    this.parts = dealNames(this.steps, this.starts, this.facts[0]);
    this.scrubber = $(".r-scrub input");
    this.scrubber.max = this.last;
    this.table = new Table($(".r-felt"), this.names, this.facts, this.deck);
    this.faultSteps = this.faults.map((fault) => ({ ...fault, step: stepOf(this.steps, fault.move) }));
    $('[data-choose="deal"]').append(...this.parts.map((part, deal) => h("option", { value: deal }, part)));
    $('[data-choose="view"]').append(...this.names.map((name, seat) => h("option", { value: seat }, `Seen by ${name}`)));
    $(".r-help [data-part]").textContent = this.facts[0].label.toLowerCase();
    this.#ticks();
    this.#listen();
    this.follow();
  }

  get last() { return this.steps.length - 1; }

  #ticks() {
    const tick = (kind, step) => {
      const mark = h("span", { class: kind });
      mark.style.setProperty("--p", this.last ? step / this.last : 0);
      return mark;
    };
    this.$(".r-ticks").append(...this.starts.slice(1).map((step) => tick("deal", step)), ...this.faultSteps.map(({ step }) => tick("fault", step)));
  }

  /* Position */

  /** Go to the position in the address: #step=17 or #move=37, &view=1, &south=2 (also accepted as a query). */
  follow() {
    const asked = new URLSearchParams(location.hash.slice(1) || location.search);
    const number = (key, limit) => (/^\d+$/.test(asked.get(key) ?? "") && Number(asked.get(key)) <= limit ? Number(asked.get(key)) : null);
    const seat = (key) => number(key, this.names.length - 1);
    const move = number("move", Number.MAX_SAFE_INTEGER);
    const shows = move === null ? -1 : stepOf(this.steps, move);
    this.viewer = seat("view");
    this.south = seat("south") ?? this.viewer ?? 0;
    this.table.turn(this.south);
    this.go(shows >= 0 ? shows : number("step", this.last) ?? 0, { write: false });
  }

  #address() {
    const words = new URLSearchParams({ step: this.at });
    if (this.viewer !== null) words.set("view", this.viewer);
    if (this.south !== (this.viewer ?? 0)) words.set("south", this.south);
    return `#${words}`;
  }

  /** Show a step. The address is updated with a delay, because browsers limit the rate of changes. */
  go(step, { write = true } = {}) {
    const to = Math.min(Math.max(step, 0), this.last);
    const onward = to === this.at + 1;
    this.at = to;
    this.#draw(onward);
    clearTimeout(this.writing);
    if (write) this.writing = setTimeout(() => history.replaceState(history.state, "", this.#address()), 250);
  }

  #draw(animate) {
    const state = stateAt(this.steps, this.starts, this.before, this.at);
    const ranks = this.at === this.last ? this.ranks : null;
    const faults = new Map(this.faultSteps.filter(({ step }) => step >= 0 && step <= this.at).map(({ seat, kind }) => [seat, kind]));
    const winners = ranks && this.names.length > 1 ? this.names.flatMap((_, seat) => (ranks[seat] === 1 ? [seat] : [])) : [];
    this.table.draw(state, { at: this.at, viewer: this.viewer, south: this.south, turn: turnAfter(this.steps, this.at), faults, winners }, animate);
    drawFacts(this.$(".r-facts"), this.facts, state.facts, this.deck);
    drawScores(this.$(".r-scores table"), this.names, this.facts, state.facts, winners, this.deck);
    drawResult(this.$(".r-result"), this.names, this.scores, ranks);
    drawLast(this.$(".r-last"), state.last, this.names, this.deck);
    this.#controls();
    this.#log();
    this.#announce();
  }

  /** Tell other parts of the page which step is shown: `move` is its index in the record, `seat` whose action it is, both null for the arena's steps. */
  #announce() {
    const { move, events } = this.steps[this.at];
    const detail = { step: this.at, move, seat: move === null ? null : events[0].seat, viewer: this.viewer };
    this.root.dispatchEvent(new CustomEvent("replay:step", { detail, bubbles: true }));
  }

  #controls() {
    const step = this.steps[this.at];
    const fault = this.faultSteps.find((one) => one.step === this.at);
    this.#say(...stepNodes(step, this.names, this.deck), ...(fault ? [h("span", { class: "r-fault" }, ` ${this.#faultText(fault)}`)] : []));
    this.scrubber.value = this.at;
    this.scrubber.style.setProperty("--p", this.last ? this.at / this.last : 0);
    this.scrubber.setAttribute("aria-valuetext", `Step ${this.at + 1} of ${this.last + 1}: ${stepText(step, this.names, this.deck)}`);
    this.$('[data-choose="deal"]').value = dealOf(this.starts, this.at);
    this.$('[data-choose="view"]').value = this.viewer ?? "";
    for (const name of ["first", "previous"]) this.#allow(name, this.at > 0);
    for (const name of ["next", "last"]) this.#allow(name, this.at < this.last);
  }

  /** The caption never shrinks, so that the buttons below it do not move. */
  #say(...nodes) {
    const caption = this.$(".r-caption");
    caption.replaceChildren(...nodes);
    this.tallest = Math.max(this.tallest, caption.offsetHeight);
    caption.style.setProperty("--tallest", `${this.tallest}px`);
  }

  /** A disabled button would lose the focus at either end, so it is only marked as disabled. */
  #allow(name, allowed) { this.$(`[data-do="${name}"]`).setAttribute("aria-disabled", String(!allowed)); }

  #faultText({ seat, kind }) { return `${this.names[seat]} failed (${kind}); the arena plays this seat from here on.`; }

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
    this.$(".r-log h2").textContent = this.starts.length > 1 ? `${this.parts[deal]}, step by step` : "Step by step";
    list.start = from + 1;
    list.replaceChildren(...this.steps.slice(from, to).map((step, index) => this.#entry(step, from + index)));
  }

  #entry(step, index) {
    const faults = this.faultSteps.filter((fault) => fault.step === index);
    const button = h("button", { type: "button", "data-step": index }, ...stepNodes(step, this.names, this.deck),
      ...faults.map((fault) => h("span", { class: "r-fault" }, ` ${this.#faultText(fault)}`)));
    return h("li", { class: step.move === null ? "arena" : null }, button);
  }

  /* Playing */

  get playing() { return this.timer !== null; }

  play() {
    if (this.at === this.last) this.go(0);
    this.#wait();
    this.#showPlaying();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.#showPlaying();
  }

  #wait() {
    const speed = Number(this.$('[data-choose="speed"]').value);
    this.timer = setTimeout(() => {
      this.go(this.at + 1);
      if (this.at < this.last) this.#wait();
      else this.pause();
    }, BEAT / speed);
    this.$(".r-caption").setAttribute("aria-live", speed > 1 ? "off" : "polite");
  }

  #showPlaying() {
    const button = this.$('[data-do="play"]');
    button.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    button.classList.toggle("playing", this.playing);
    if (!this.playing) this.$(".r-caption").setAttribute("aria-live", "polite");
  }

  /* Controls and keys */

  seek(step) { this.pause(); this.go(step); }

  #nextDeal() { return this.starts[dealOf(this.starts, this.at) + 1] ?? this.last; }

  #previousDeal() {
    const deal = dealOf(this.starts, this.at);
    return this.at > this.starts[deal] ? this.starts[deal] : this.starts[deal - 1] ?? 0;
  }

  actions = {
    first: () => this.seek(0),
    previous: () => this.seek(this.at - 1),
    next: () => this.seek(this.at + 1),
    last: () => this.seek(this.last),
    previousDeal: () => this.seek(this.#previousDeal()),
    nextDeal: () => this.seek(this.#nextDeal()),
    play: () => (this.playing ? this.pause() : this.play()),
    copy: () => this.#copy(),
    help: () => this.$(".r-help").showModal(),
  };

  keys = {
    ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", " ": "play", PageUp: "previousDeal", PageDown: "nextDeal", "?": "help",
  };

  #listen() {
    this.root.addEventListener("click", (event) => this.#click(event.target.closest("button")));
    this.root.addEventListener("change", (event) => this.#choose(event.target));
    this.scrubber.addEventListener("input", () => this.seek(Number(this.scrubber.value)));
    document.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("resize", () => { this.tallest = 0; });
    this.root.addEventListener("replay:go", ({ detail }) => this.#goTo(detail));
    addEventListener("hashchange", () => this.#jump());
    document.addEventListener("click", ({ target }) => {
      if (target.closest("a")?.hash === location.hash) this.#jump(); // no hashchange event if the address is the same
    });
  }

  #jump() {
    if (!/[#&](step|move|view)=/.test(location.hash)) return; // another part of the page, such as the target of the skip link
    this.pause();
    this.follow();
    if (!this.#inSight()) this.root.scrollIntoView();
  }

  /** Go where another part of the page asks: {step}, or {move} as an index in the record. */
  #goTo({ step, move }) {
    const to = step ?? stepOf(this.steps, move);
    if (to >= 0) this.seek(to);
  }

  #click(button) {
    if (!button) return;
    const { do: action, step, south } = button.dataset;
    if (action) this.actions[action]?.();
    else if (step) this.seek(Number(step));
    else if (south) this.#sit(Number(south));
  }

  #sit(seat) {
    this.south = seat;
    this.table.turn(seat);
    this.go(this.at);
  }

  #choose({ dataset: { choose }, value }) {
    if (choose === "deal") this.seek(this.starts[Number(value)]);
    if (choose === "speed" && this.playing) { this.pause(); this.play(); }
    if (choose !== "view") return;
    this.viewer = value === "" ? null : Number(value);
    this.#sit(this.viewer ?? this.south);
  }

  /** Keys work inside the replay, and on the page while the table is visible, but not in a control that uses them. */
  #key(event) {
    const action = this.keys[event.key];
    const target = event.target;
    if (!action || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]") || usesKey(target, event.key)) return;
    if (!this.root.contains(target) && !(target === document.body && this.#inSight())) return;
    event.preventDefault();
    this.actions[action]();
  }

  #inSight() {
    const { top, bottom } = this.$(".r-felt").getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  }

  async #copy() {
    const link = new URL(this.#address(), location.href).href;
    history.replaceState(history.state, "", link);
    const said = this.$(".r-said");
    said.classList.remove("visually-hidden");
    try {
      await navigator.clipboard.writeText(link);
      said.textContent = `Link to step ${this.at + 1} copied.`;
    } catch {
      said.textContent = "The browser does not allow copying; the link is in the address bar.";
    }
    clearTimeout(this.saying);
    this.saying = setTimeout(() => said.classList.add("visually-hidden"), 4000);
  }
}

/** Whether the control with the focus uses the key itself. */
function usesKey(target, key) {
  const control = "input:not([type=range]), textarea, select, [contenteditable]";
  return target.closest(key === " " ? `${control}, button, a, summary` : control) !== null;
}

async function fetchReplay(source) {
  const answer = await fetch(source, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  const data = await answer.json();
  if (!data.steps?.length) throw new Error("the match has no steps");
  return data;
}

/** Load the match and start the replay, or show the error with a button to retry. */
async function start(root) {
  const [body, problem] = [root.querySelector(".r-body"), root.querySelector(".r-problem")];
  try {
    problem.hidden = true;
    root.setAttribute("aria-busy", "true");
    const data = await fetchReplay(root.dataset.src);
    body.hidden = false;
    new Replay(root, data);
  } catch (error) {
    body.hidden = true;
    problem.hidden = false;
    problem.querySelector("p").textContent = `The replay could not be loaded: ${error.message}.`;
  } finally {
    root.setAttribute("aria-busy", "false");
  }
}

const root = document.getElementById("replay");
root.querySelector('[data-do="retry"]').addEventListener("click", () => start(root));
await start(root);
