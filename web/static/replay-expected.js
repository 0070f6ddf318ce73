/* The expected points of each side in the course of the match, as estimated at its decisions, with the real points at the ends of deals. */
import { breakable, h } from "./replay-deck.js";
import { s } from "./replay-curve.js";
import { JUDGED } from "./replay-text.js";
import { _, number, woven } from "./words.js";

const [WIDTH, HEIGHT, LEFT, RIGHT] = [300, 130, 30, 6];

/** Expected points of a side after its decision. */
const expected = ({ score, action, actions }) => score + actions.find(({ token }) => token === action).points;

export class Expected {
  /** @param box where it is drawn; the replay; decisions with the step that shows them; `teams` as lists of seats. */
  constructor(box, replay, decisions, teams) {
    Object.assign(this, { last: replay.last, decisions });
    this.lines = teams.flatMap((team) => this.#line(team, replay));
    const all = this.lines.flatMap(({ points }) => points.map(([, value]) => value));
    if (!all.length) return;
    [this.low, this.high] = [Math.min(...all), Math.max(...all, Math.min(...all) + 1)];
    this.now = s("path", { class: "now" });
    const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + 4}`, role: "img", "aria-label": _("Expected points in the course of the match") });
    svg.append(...this.#axes(replay.starts), ...this.lines.map(({ team, points }) => this.#path(team, points)), ...this.#mistakes(), this.now);
    svg.addEventListener("click", ({ clientX }) => replay.controls.seek(this.#step(svg, clientX)));
    const named = (team) => team.map((seat) => breakable(replay.names[seat])).reduce((one, other) => woven(_("%(one)s and %(other)s"), { one, other }));
    const names = this.lines.map(({ team }) => h("li", { class: `seat-${team[0]}` }, ...named(team)));
    box.replaceChildren(h("h2", {}, _("Expected points")), svg, h("ul", { class: "r-names" }, ...names));
  }

  /** The points [step, value] of a side; none if nothing is known about its decisions. */
  #line(team, { deals, starts, last }) {
    const own = this.decisions.filter(({ seat }) => team.includes(seat));
    if (!own.length) return [];
    const end = (deal) => (starts[deal + 1] ?? last + 1) - 1;
    const together = (scores) => team.reduce((sum, seat) => sum + scores[seat], 0);
    const ends = deals.flatMap(({ scores }, deal) => (scores ? [[end(deal), together(scores)]] : []));
    return [{ team, points: [...own.map((one) => [one.step, expected(one)]), ...ends].sort(([a], [b]) => a - b) }];
  }

  #x(step) { return LEFT + ((WIDTH - LEFT - RIGHT) * step) / Math.max(1, this.last); }

  #y(value) { return 6 + (HEIGHT - 12) * (1 - (value - this.low) / (this.high - this.low)); }

  #step(svg, clientX) {
    const { left, width } = svg.getBoundingClientRect();
    return Math.round(((((clientX - left) / width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT)) * this.last);
  }

  #axes(starts) {
    const across = [this.low, this.high].map((value) => `M${LEFT} ${this.#y(value)}H${WIDTH - RIGHT}`).join("");
    const down = starts.slice(1).map((step) => `M${this.#x(step)} 0V${HEIGHT}`).join("");
    const digits = this.high - this.low < 5 ? 1 : 0;
    const label = (value) => s("text", { x: LEFT - 4, y: this.#y(value) + 4, "text-anchor": "end" }, number(value, digits));
    const numbers = [this.low, this.high].map(label);
    return [s("path", { class: "grid", d: across + down }), ...numbers];
  }

  #path(team, points) {
    return s("path", { class: `line seat-${team[0]}`, d: `M${points.map(([step, value]) => `${this.#x(step)} ${this.#y(value)}`).join("L")}` });
  }

  /** Dots at mistakes. */
  #mistakes() {
    return this.decisions.filter(({ mark }) => mark === "mistake" || mark === "blunder").map((one) => {
      const [cx, cy] = [this.#x(one.step), this.#y(expected(one))];
      return s("circle", { class: one.mark, cx, cy, r: 3 }, s("title", {}, _("%(mark)s at move %(move)s", { mark: JUDGED[one.mark], move: one.move })));
    });
  }

  /** Mark a step. */
  mark(step) { this.now?.setAttribute("d", `M${this.#x(step)} 0V${HEIGHT}`); }
}
