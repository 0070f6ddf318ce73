/* The featured match of the front page: the last deal plays by itself, quietly. It rests while it is out of sight or in a
   hidden tab, at the end, and for readers who prefer less motion until they start it. */
import { dealOf, stateAt, turnAfter } from "./replay-state.js";
import { Table, drawResult } from "./replay-draw.js";
import { Deck } from "./replay-deck.js";
import { seatNames, stepNodes } from "./replay-text.js";
import { _, pgettext } from "./words.js";

const BEAT = 1600; // milliseconds per step
const LONGEST = 60; // steps that are played

class Featured {
  timer = null;
  seen = false;

  constructor(root, data) {
    const $ = (selector) => root.querySelector(selector);
    Object.assign(this, data, { $, names: seatNames(data.seats), deck: new Deck(data.game.deck, JSON.parse(root.dataset.deck)) });
    this.starts = this.deals.map(({ step }) => step);
    this.first = Math.max(this.starts[dealOf(this.starts, this.last)], this.last - LONGEST);
    this.table = new Table($(".r-felt"), this.names, this.facts, this.deck, this.room);
    this.table.turn(0);
    this.button = $('[data-do="play"]');
    this.button.hidden = false;
    this.button.addEventListener("click", () => this.play(!this.playing));
    root.addEventListener("click", ({ target }) => this.#sit(target.closest("[data-south]")?.dataset.south));
    document.addEventListener("visibilitychange", () => this.#beat());
    new IntersectionObserver(([entry]) => { this.seen = entry.isIntersecting; this.#beat(); }, { threshold: 0.5 }).observe(root);
    this.#draw(this.first);
    root.removeAttribute("aria-busy");
    this.play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  get last() { return this.steps.length - 1; }

  /** Play or pause; at the end, play again from the start of the deal. */
  play(playing) {
    if (playing && this.at === this.last) this.#draw(this.first);
    this.playing = playing;
    this.button.textContent = playing ? _("Pause") : this.at === this.last ? _("Play again") : pgettext("replay", "Play");
    this.#beat();
  }

  #beat() {
    clearTimeout(this.timer);
    if (this.playing && this.seen && !document.hidden) this.timer = setTimeout(() => this.#step(), BEAT);
  }

  #step() {
    this.#draw(this.at + 1, true);
    this.play(this.at < this.last);
  }

  #sit(seat) {
    if (seat === undefined) return;
    this.south = Number(seat);
    this.table.turn(this.south);
    this.#draw(this.at);
  }

  #draw(step, animate = false) {
    this.at = step;
    const over = step === this.last ? this.ranks : null;
    const winners = over ? this.names.flatMap((name, seat) => (over[seat] === 1 ? [seat] : [])) : [];
    const scene = { at: step, viewer: null, south: this.south ?? 0, turn: turnAfter(this.steps, step), faults: new Map(), winners };
    this.table.draw(stateAt(this, step), scene, animate);
    drawResult(this.$(".r-result"), this.names, this.scores, over);
    this.$(".r-caption").replaceChildren(...stepNodes(this.steps[step], this.names, this.deck));
  }
}

const root = document.getElementById("featured");
const answer = await fetch(root.dataset.src, { headers: { Accept: "application/json" } });
if (answer.ok && root.dataset.deck) new Featured(root, await answer.json());
