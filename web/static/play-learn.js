/* Learning tools at a practice table: take back the last decision, and show what each move is worth.
   play.js says what is asked by the event "play-asked", and draws an answer of the server that "play-answer" brings. */
import { h } from "./replay-deck.js";
import { _, number, pgettext } from "./words.js";

const LONG = 4; // characters, as in "10♠"
const JSON_ONLY = { Accept: "application/json" };
const root = document.getElementById("table");
const tools = root.querySelector(".r-bar .p-learn");

class Learn {
  constructor() {
    this.form = tools.querySelector("[data-learn=undo]");
    this.link = tools.querySelector("[data-learn=hint]");
    this.list = h("ul", { class: "p-estimates", "aria-label": _("Points to the end of the deal, with the interval of 95 %"), hidden: "" });
    this.remark = h("p", { class: "p-remark", role: "status", hidden: "" });
    tools.after(this.remark, this.list);
    this.claim = tools.querySelector("[data-learn=claim]");
    this.claim.addEventListener("click", () => { this.claiming = true; this.#follow(this.play); });
    this.link.setAttribute("role", "button");
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.#undo(); });
    this.link.addEventListener("click", (event) => { event.preventDefault(); this.#ask(); });
    root.addEventListener("play-asked", ({ detail }) => this.#follow(detail));
    addEventListener("keydown", (event) => this.#key(event));
    for (const kind of ["focusin", "click"]) root.addEventListener(kind, ({ target }) => this.#point(target.closest(".card[role=button]")?.dataset.face));
  }

  /** Keep the state of the table; the hint for another question goes. */
  #follow(play) {
    this.play = play;
    tools.hidden = play.state !== "playing";
    this.link.setAttribute("aria-disabled", String(!play.asked));
    this.pointed = null;
    this.#say(null);
    this.remark.hidden = !play.asked?.actions.some(({ remark }) => remark); // else it keeps its place, so that nothing jumps
    if (this.hint && this.hint.number === play.asked?.number) this.#draw(); else this.#drop();
    this.#go(play);
  }

  /** Once the rest is claimed, play the cards, all of which win. */
  #go({ asked }) {
    this.claim.hidden = !asked?.claims || this.claiming;
    if (!asked) return;
    this.claiming &&= asked.claims;
    if (this.claiming) this.play.play(asked.actions[0].token);
  }

  /** Say what is certain about the card that is focused or picked. */
  #point(card) {
    if (!card || card === this.pointed) return; // a table that is laid out anew focuses the same card again
    this.pointed = card;
    this.#say(this.play?.asked?.actions.find(({ cards }) => cards.length === 1 && cards[0] === card));
  }

  #say(action) {
    this.remark.replaceChildren(...(action?.remark ? [h("b", {}, `${action.label}: `), action.remark] : []));
  }

  #drop() {
    this.hint = null;
    this.list.hidden = true;
    root.querySelectorAll(".p-best").forEach((picture) => picture.classList.remove("p-best"));
  }

  /** Take back the last decision, and draw the table as it was. */
  async #undo() {
    if (!this.play || this.play.busy) return;
    const body = new FormData(this.form);
    body.append("undone", -1); // so that the answer has every frame
    const data = await this.#fetch(this.form.action, { method: "POST", body });
    if (data?.steps) root.dispatchEvent(new CustomEvent("play-answer", { detail: data }));
  }

  /** Ask for a hint, once for each question. */
  async #ask() {
    if (!this.play?.asked || this.hint || this.play.busy) return;
    const hint = await this.#fetch(this.link.href);
    if (!hint?.actions || hint.number !== this.play.asked?.number) return;
    this.hint = hint;
    this.#draw();
  }

  async #fetch(address, options = {}) {
    const answer = await fetch(address, { ...options, headers: JSON_ONLY }).catch(() => null);
    return answer?.json().catch(() => null);
  }

  #draw() {
    const { actions } = this.hint;
    const low = Math.min(...actions.map(({ points, margin }) => points - margin));
    const span = Math.max(...actions.map(({ points, margin }) => points + margin)) - low || 1;
    const digits = span < 3 ? 2 : 1;
    const sorted = actions.toSorted((one, other) => Number(other.best) - Number(one.best) || other.points - one.points);
    this.list.replaceChildren(...sorted.map((one) => this.#row(one, (points) => (points - low) / span, digits)));
    this.list.hidden = false;
    const { cards } = this.#action(sorted[0].token);
    this.#say(sorted[0]);
    for (const picture of root.querySelectorAll(".card.p-legal")) picture.classList.toggle("p-best", cards.length === 1 && cards[0] === picture.dataset.face);
  }

  #action(token) { return this.play.asked.actions.find((one) => one.token === token); }

  /** The action's label; its cards without a verb if it is long. */
  #words(token, label) {
    const { cards } = this.#action(token);
    return cards.length > 0 && label.length > LONG ? cards.flatMap((card) => [...this.play.deck.chip(card), " "]) : [label];
  }

  /** A row of the list: the action's label, its points, and a bar that `part` places from 0 to 1. */
  #row({ token, label, points, margin, best, remark }, part, digits) {
    const bar = h("span", { class: "p-bar", "aria-hidden": "true" });
    bar.style.setProperty("--low", part(points - margin));
    bar.style.setProperty("--at", part(points));
    bar.style.setProperty("--high", part(points + margin));
    const worth = h("span", { class: "p-worth" }, number(points, digits), h("small", {}, ` ± ${number(margin, digits)}`));
    const more = h("span", { class: "visually-hidden" }, `${best ? `, ${pgettext("decision", "best")}` : ""}${remark && `: ${remark}`}`);
    return h("li", { title: remark || null, class: best ? "best" : null }, h("b", {}, ...this.#words(token, label)), worth, more, bar);
  }

  #key(event) {
    if (event.target.matches("input, select, textarea") || tools.hidden) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "z") { event.preventDefault(); this.#undo(); }
    if (event.key === "?") this.#ask();
  }
}

if (tools) new Learn();
