/* The analysis of the match that the replay shows (`arena.services.analyses`): the curve of the expected result, marks on
   decisions, the way from mistake to mistake, and for the move beside the table what each legal action was worth. */
import { Expected } from "./replay-expected.js";
import { h } from "./replay-deck.js";
import { actionNodes } from "./replay-known.js";
import { fetchJson, stepOf } from "./replay-state.js";
import { JUDGED } from "./replay-text.js";

const AGAIN = 3000; // milliseconds until a waiting analysis is asked for again
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const SERIOUS = ["mistake", "blunder"];

export class Analysis {
  byMove = new Map();
  marks = new Map(); // step -> the worst mark of its decisions
  steps = []; // those with mistakes and blunders

  constructor(replay) {
    this.replay = replay;
    this.#follow();
  }

  get address() { return this.replay.root.dataset.analysis; }

  async #follow() {
    if (!this.address) return;
    const found = await fetchJson(this.address).catch(() => null);
    if (found?.state === "done") this.#show(found);
    else if (found?.state === "waiting") setTimeout(() => this.#wait(), AGAIN);
  }

  /** The page has tables that the server makes, so it is loaded again. */
  async #wait() {
    const found = await fetchJson(this.address).catch(() => null);
    if (found?.state === "waiting" || !found) setTimeout(() => this.#wait(), AGAIN);
    else location.reload();
  }

  #show({ decisions, teams }) {
    const { steps, $ } = this.replay;
    const placed = decisions.map((one) => ({ ...one, step: stepOf(steps, one.move) }));
    const order = Object.keys(SIGNS);
    for (const one of placed) {
      this.byMove.set(one.move, one);
      if (order.indexOf(one.mark) > order.indexOf(this.marks.get(one.step))) this.marks.set(one.step, one.mark);
    }
    this.steps = [...this.marks].flatMap(([step, mark]) => (SERIOUS.includes(mark) ? [step] : [])).sort((a, b) => a - b);
    this.curve = new Expected($(".r-expected"), this.replay, placed, teams);
    $(".r-mistakes").hidden = this.steps.length === 0;
    this.#cards();
    this.replay.analysed();
  }

  /** Draw the actions in the list of the page. */
  #cards() {
    for (const box of document.querySelectorAll("#analysis [data-token]")) box.replaceChildren(...actionNodes(box.dataset.token, this.replay.deck));
  }

  /** The mark of a step for the log. */
  sign(step) {
    const mark = this.marks.get(step);
    return mark ? [h("span", { class: `a-sign ${mark}`, title: JUDGED[mark] }, ` ${SIGNS[mark]}`, h("span", { class: "visually-hidden" }, ` ${JUDGED[mark]}`))] : [];
  }

  next(step) { return this.steps.find((one) => one > step); }

  previous(step) { return this.steps.findLast((one) => one < step); }
}
