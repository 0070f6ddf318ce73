/* A live table: draw what happened on the replay's felt, one step after another, then offer the cards that may be played.
   The server decides everything; the script draws its frames and sends the token of a move. */
import { stateAt, turnAfter, fetchJson } from "./replay-state.js";
import { Table, drawFacts, drawLast, drawResult, drawScores, fillScreen } from "./replay-draw.js";
import { Deck, h } from "./replay-deck.js";
import { seatNames, stepNodes } from "./replay-text.js";
import { _ } from "./words.js";

const PUBLIC = "public";
const FIELDS = "input, select, textarea"; // that take keys themselves
const WARN = 15; // seconds
const POLL = 1000; // milliseconds between two looks while others think
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

class Play {
  at = -1;
  chosen = []; // cards that are picked for a move of several cards, or the one that a second tap plays
  busy = false;
  typed = "";

  constructor(root, answer) {
    Object.assign(this, { root, $: (selector) => root.querySelector(selector), steps: [], cards: [] });
    this.#take(answer);
    this.deck = new Deck(answer.game.deck, JSON.parse(root.dataset.decks)[answer.game.deck]);
    this.names = seatNames(answer.seats); // in sentences: "Guest plays", not "You plays"
    this.plates = this.names.map((name, seat) => (seat === this.seat ? _("You") : name));
    this.table = new Table(this.$(".r-felt"), this.plates, this.facts, this.deck, this.room, false);
    this.south = this.seat ?? 0;
    this.table.turn(this.south);
    this.hand = this.table.seats[this.south].hand;
    this.#listen();
    this.at = Math.max(this.steps.length - 2, -1);
    this.#show();
  }

  get mine() { return this.seat !== null; }

  get viewer() { return this.scores ? null : this.seat ?? PUBLIC; }

  /** Add an answer of the server to what is known: its frames follow the ones before `from`. */
  #take(answer) {
    const steps = [...this.steps.slice(0, answer.from), ...answer.steps];
    Object.assign(this, answer, { steps, starts: answer.deals.map(({ step }) => step) });
    if (this.table) { this.table.room = answer.room; this.table.fit(); }
    this.at = Math.min(this.at, steps.length - 1);
  }

  /** Draw the frames that are new, one after another, then ask for a move or wait for the others. */
  async #show() {
    const run = this.run = (this.run ?? 0) + 1;
    this.#offer(null);
    while (this.at < this.steps.length - 1) {
      this.at += 1;
      this.#draw();
      if (this.at < this.steps.length - 1) await pause(this.#pace());
      if (run !== this.run) return;
    }
    this.#offer(this.question);
    this.#tick();
    if (this.state === "finished") this.#field();
    else if (!this.question && this.state === "playing") this.#poll();
  }

  /** Count the seconds for the move down; near the end, say them. */
  #tick() {
    clearInterval(this.ticking);
    const box = this.$(".p-clock");
    box.hidden = this.left === null || this.state !== "playing";
    if (box.hidden) return;
    const end = performance.now() + 1000 * this.left;
    const show = () => {
      const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      box.textContent = this.question ? _("%(seconds)s s", { seconds: left }) : "";
      box.classList.toggle("p-late", left <= WARN);
      if (this.question && left === WARN) this.#complain(_("%(seconds)s seconds left; then a bot makes this move for you.", { seconds: WARN }));
      if (left === 0) { clearInterval(this.ticking); this.#poll(); }
    };
    show();
    this.ticking = setInterval(show, 1000);
  }

  /** Show what follows the match: how bots fared with these cards, again while more of them play. */
  async #field() {
    const box = this.$(".p-field");
    if (box.dataset.field) await this.#load(box);
    box.hidden = !box.childElementCount;
    if (!this.shown) { this.shown = true; box.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" }); }
  }

  async #load(box) {
    const answer = await fetch(box.dataset.field).catch(() => null);
    if (answer?.ok) box.replaceChildren(...new DOMParser().parseFromString(await answer.text(), "text/html").body.childNodes);
    this.$(".p-actions").replaceChildren(...[...box.querySelectorAll(".p-result > .actions > *")].map((one) => one.cloneNode(true)));
    if (!answer?.ok || box.querySelector("[data-waiting]")) setTimeout(() => this.#field(), 2 * POLL);
  }

  /** Whether the table may change by itself, unlike the one of a lesson. */
  #goesOn() { return this.state === "playing" && this.$(".p-token").method === "post"; }

  #pace() {
    const quiet = this.steps[this.at].move === null && !this.steps[this.at].won;
    return calm.matches || quiet ? Math.min(this.pace, 150) : this.pace;
  }

  async #poll() {
    const { run } = this;
    await pause(document.hidden ? 5 * POLL : POLL);
    try {
      const data = await fetchJson(`${this.root.dataset.src}?steps=${this.steps.length}&undone=${this.undone}`);
      if (run !== this.run) return;
      this.#take(data);
      this.#complain(this.held || this.state !== "playing" ? "" : _("The table is being prepared again. Your cards are safe."));
    } catch {
      this.#complain(_("The arena does not answer. This page tries again by itself."));
    }
    this.#show();
  }

  #draw() {
    const state = stateAt(this, this.at);
    const over = this.at === this.steps.length - 1 && this.ranks;
    const winners = over && this.names.length > 1 ? this.names.flatMap((name, seat) => (over[seat] === 1 ? [seat] : [])) : [];
    const fresh = !this.starts.includes(this.at);
    const turn = this.at === this.steps.length - 1 ? (this.question ? this.seat : null) : turnAfter(this.steps, this.at);
    this.table.draw(state, { at: this.at, viewer: this.viewer, south: this.south, turn, faults: new Map(), winners }, fresh);
    drawFacts(this.$(".r-facts"), this.facts, state.facts, this.deck);
    drawScores(this.$(".r-scores table"), this.plates, this.facts, state.facts, winners, this.deck);
    drawResult(this.$(".r-result"), this.plates, this.scores, over || null);
    drawLast(this.$(".r-last"), state.last, this.names, this.deck);
    this.$(".r-caption").replaceChildren(...stepNodes(this.steps[this.at], this.names, this.deck));
    this.#log();
  }

  #log() {
    const list = this.$(".r-log ol");
    while (list.children.length > this.at + 1) list.lastChild.remove();
    for (let step = list.children.length; step <= this.at; step += 1) list.append(h("li", {}, ...stepNodes(this.steps[step], this.names, this.deck)));
    list.scrollTop = list.scrollHeight;
  }

  /* The move */

  /** Offer the actions of a question, or none. */
  #offer(question) {
    this.asked = question;
    this.chosen = [];
    this.root.classList.toggle("asked", Boolean(question));
    this.$(".p-question").replaceChildren(...(question ? stepNodes({ says: question.text }, this.names, this.deck) : []));
    this.#hand();
    this.#buttons();
    this.root.dispatchEvent(new CustomEvent("play-asked", { detail: this }));
  }

  /** The actions that the picked cards can still become. */
  #open() {
    return (this.asked?.actions ?? []).filter(({ cards }) => this.#fits(cards));
  }

  /** Whether an action begins with the picked cards; their order matters only if another action has the same cards. */
  #fits(cards) { return this.chosen.every((card) => cards.includes(card)); }

  /** The action of exactly the picked cards: in the order in which they were picked, if there are several. */
  #action() {
    const same = this.#open().filter(({ cards }) => cards.length === this.chosen.length && cards.length);
    return same.find(({ cards }) => cards.every((card, index) => card === this.chosen[index])) ?? (same.length === 1 ? same[0] : null);
  }

  #pictures() { return [...this.hand.querySelectorAll(".card"), ...this.table.seats[this.south].bid.querySelectorAll(".card")]; }

  /** The cards that may be picked now, also in place of the one that is. */
  #usable() {
    const actions = (this.asked?.actions ?? []).filter(({ cards }) => cards.length === 1 || this.#fits(cards));
    return new Set(actions.flatMap(({ cards }) => cards));
  }

  /** Mark the cards in hand: which may be chosen, and which are. */
  #hand() {
    const usable = this.#usable();
    this.hand.setAttribute("role", this.asked ? "group" : "img");
    let first = true;
    for (const picture of this.#pictures()) {
      const card = picture.dataset.face;
      const legal = usable.has(card);
      picture.classList.toggle("p-legal", legal);
      picture.classList.toggle("p-illegal", Boolean(this.asked) && usable.size > 0 && !legal);
      picture.classList.toggle("p-chosen", this.chosen.includes(card));
      if (!this.asked || card === "back" || !this.mine) {
        for (const name of ["tabindex", "role", "aria-label", "aria-disabled", "aria-pressed"]) picture.removeAttribute(name);
        picture.setAttribute("aria-hidden", "true");
        continue;
      }
      picture.removeAttribute("aria-hidden");
      picture.setAttribute("role", "button");
      picture.setAttribute("aria-label", this.deck.name(card));
      picture.setAttribute("aria-disabled", String(!legal));
      picture.setAttribute("aria-pressed", String(this.chosen.includes(card)));
      picture.setAttribute("tabindex", legal && first ? 0 : -1);
      if (legal) first = false;
    }
  }

  /** Buttons: actions without cards, and the action of the picked cards. */
  #buttons() {
    const words = (this.asked?.actions ?? []).filter(({ cards }) => !cards.length);
    const action = this.#action();
    const buttons = words.map(({ token, label }) => h("button", { class: "button", type: "button", "data-token": token }, label));
    if (action) buttons.unshift(h("button", { class: "button primary", type: "button", "data-token": action.token }, this.#verb(action)));
    this.$(".p-actions").replaceChildren(...buttons);
    this.$(".p-actions").dataset.move = this.asked?.number ?? "";
  }

  #verb({ label, cards }) { return cards.length === 1 && !label.includes(" ") ? _("Play %(card)s", { card: label }) : label; }

  #pick(card) {
    if (!this.asked || this.busy) return;
    const usable = this.#open().some(({ cards }) => cards.includes(card));
    const single = this.asked.actions.find(({ cards }) => cards.length === 1 && cards[0] === card);
    this.#complain("");
    if (single && (this.chosen[0] === card || !this.twice)) { this.#send(single.token); return; }
    if (single) this.chosen = [card];
    else if (this.chosen.includes(card)) this.chosen = this.chosen.filter((one) => one !== card);
    else if (usable) this.chosen.push(card);
    else { this.#complain(this.asked.refusals[card] ?? _("That card cannot be added.")); return; }
    this.#hand();
    this.#buttons();
  }

  /** Make a move for another script. */
  play(token) { this.#send(token); }

  async #send(token) {
    if (this.busy) return;
    this.busy = true;
    const { number } = this.asked;
    this.#offer(null);
    try {
      const data = await this.#post(token, number);
      this.#take(data);
      this.#complain(data.problem ?? "");
    } catch (error) {
      this.#complain(error.message);
    } finally {
      this.busy = false;
    }
    this.#show();
  }

  /** Send a move, again until the server answers: it is made only once. */
  async #post(token, number) {
    const form = this.$(".p-token"), body = new FormData(form);
    for (const [name, value] of Object.entries({ token, number, steps: this.steps.length, undone: this.undone })) body.append(name, value);
    const [query, sent] = form.method === "post" ? ["", { method: "POST", body }] : [`?${new URLSearchParams(body)}`, {}];
    for (;;) {
      const answer = await fetch(`${this.root.dataset.moves}${query}`, { ...sent, headers: { Accept: "application/json" } }).catch(() => null);
      const data = await answer?.json().catch(() => null);
      if (data?.steps) return data;
      if (answer?.status < 500) throw new Error(_("The arena refused the move (status %(status)s). Load this page again.", { status: answer.status }));
      this.#complain(_("The arena does not answer. Your move is sent again by itself."));
      await pause(POLL);
    }
  }

  /** Go on from an answer that another script got. */
  #replace(answer) {
    this.#take(answer);
    this.at = Math.min(this.at, this.steps.length - 2);
    this.#complain(answer.problem ?? "");
    this.#show();
  }

  #complain(words) {
    const box = this.$(".p-problem");
    box.textContent = words;
    box.hidden = !words;
  }

  /* Input */

  #listen() {
    for (const box of this.root.querySelectorAll("[data-setting]")) this.#setting(box);
    this.$(".r-felt").addEventListener("click", ({ target }) => {
      const picture = target.closest(".card[role=button]");
      if (picture) this.#pick(picture.dataset.face);
    });
    this.$(".p-actions").addEventListener("click", ({ target }) => { if (target.dataset.token) this.#send(target.dataset.token); });
    this.#drag();
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("visibilitychange", () => { if (!document.hidden && this.#goesOn()) this.#poll(); }); // moved elsewhere?
    this.root.addEventListener("play-answer", ({ detail }) => this.#replace(detail));
  }

  #setting(box) {
    const name = box.dataset.setting;
    const stored = localStorage.getItem(`play-${name}`);
    const read = () => { this[name] = box.type === "checkbox" ? box.checked : Number(box.value); };
    if (stored !== null) { if (box.type === "checkbox") box.checked = stored === "true"; else box.value = stored; }
    read();
    box.addEventListener("change", () => { read(); localStorage.setItem(`play-${name}`, this[name]); });
  }

  /** A card that is dragged out of the hand upwards is played. */
  #drag() {
    let from = null;
    this.hand.addEventListener("pointerdown", (event) => {
      const picture = event.target.closest(".card[role=button]");
      from = picture ? { card: picture.dataset.face, y: event.clientY } : null;
    });
    addEventListener("pointerup", (event) => {
      if (from && from.y - event.clientY > 40) {
        const single = this.asked?.actions.find(({ cards }) => cards.length === 1 && cards[0] === from.card);
        if (single) this.#send(single.token); else this.#pick(from.card);
      }
      from = null;
    });
  }

  /** What the arrow keys go through: the cards or, if none may be picked, the buttons. */
  #choices() {
    if (this.#usable().size) return this.#pictures().filter((picture) => picture.getAttribute("role") === "button");
    return [...this.$(".p-actions").querySelectorAll("[data-token]")];
  }

  /** Keys work inside the table, and anywhere on the page while nothing has the focus. */
  #hears({ ctrlKey, metaKey, altKey, target }) {
    return !(ctrlKey || metaKey || altKey || target.matches(FIELDS)) && (target === document.body || this.root.contains(target));
  }

  #key(event) {
    if (!this.#hears(event)) return;
    const { target, key } = event;
    const choices = this.#choices();
    const onCard = choices.includes(target) && target.dataset.face;
    const step = { ArrowLeft: -1, ArrowRight: 1, Enter: target === document.body ? 1 : 0 }[key];
    if (step && choices.length) {
      event.preventDefault();
      this.#next(choices, choices.indexOf(target), step).focus();
    } else if (onCard && (key === "Enter" || key === " ")) {
      event.preventDefault();
      this.#keyed(target.dataset.face);
    } else if (/^[0-9a-z]$/i.test(key)) {
      this.#type(key.toUpperCase(), choices.filter(({ dataset }) => dataset.face));
    }
  }

  /** The choice that is `step` after the one at `here`; the first that is allowed if none has the focus. */
  #next(choices, here, step) {
    if (here >= 0) return choices.at((here + step) % choices.length);
    return choices.find((choice) => choice.classList.contains("p-legal")) ?? choices[0];
  }

  /** Choose a card by a key. Enter plays a single card at once; after the last of several, the button has the focus. */
  #keyed(card) {
    this.#pick(card);
    const action = this.#action();
    if (this.twice && action?.cards.length === 1) this.#send(action.token);
    else (action ? this.$(".p-actions .primary") : this.#pictures().find(({ dataset }) => dataset.face === card))?.focus();
  }

  /** Focus the card that is typed: its rank and suit, or its rank alone. */
  #type(letter, pictures) {
    clearTimeout(this.typing);
    this.typed = `${this.typed}${letter}`.replace("10", "T").slice(-3);
    this.typing = setTimeout(() => { this.typed = ""; }, 1200);
    const found = pictures.find(({ dataset }) => this.typed.endsWith(dataset.face.toUpperCase()))
      ?? pictures.find(({ dataset }) => dataset.face.toUpperCase().startsWith(this.typed));
    found?.focus();
  }
}

async function start(root) {
  const answer = await fetchJson(root.dataset.src).catch(() => null);
  if (!answer?.steps.length) {
    setTimeout(() => start(root), POLL);
    return;
  }
  root.querySelector(".r-body").hidden = false;
  root.querySelector(".p-plain").hidden = true;
  new Play(root, answer);
}

const root = document.getElementById("table");
fillScreen(root);
await start(root);
