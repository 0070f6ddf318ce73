/* The curve of the scores over the deals, or over the tricks of a single deal, with the same numbers as a table. */
import { breakable, h } from "./replay-deck.js";
import { _, within } from "./words.js";

const [WIDTH, HEIGHT, LEFT, RIGHT] = [300, 130, 26, 78];
const LONGEST = 12; // characters of a name that fit at the end of a line
const SVG = "http://www.w3.org/2000/svg";

/** A name without its middle if it is long: its end tells two seats of one bot apart. */
const short = (name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 5)}…${name.slice(-4)}` : name);

/** Create an SVG element. */
export function s(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export class Curve {
  /** @param box where it is drawn; `points` are deals {step, name, scores}; `words` are the game's own for {label} a score and {deal} a deal; `go` is called with the
      first step of the deal that is clicked. */
  constructor(box, points, names, words, go) {
    Object.assign(this, { points, words, starts: points.map(({ step }) => step) });
    if (points.length < 2) return;
    this.title = _("%(score)s by %(deal)s", { score: words.label, deal: within(words.deal) });
    const all = [0, ...points.flatMap(({ scores }) => scores)];
    [this.low, this.high] = [Math.min(...all), Math.max(...all, Math.min(...all) + 1)];
    const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + 18}`, "aria-hidden": "true" });
    points.forEach((point, index) => svg.append(this.#column(point, index, go)));
    svg.append(...this.#axes(), ...names.map((name, seat) => this.#line(seat)), ...this.#ends(names));
    this.now = s("path", { class: "now" });
    svg.append(this.now);
    box.append(h("h2", {}, this.title), svg, this.#table(names));
  }

  #x(index) { return LEFT + ((WIDTH - LEFT - RIGHT) * index) / this.points.length; }

  #y(score) { return 6 + (HEIGHT - 12) * (1 - (score - this.low) / (this.high - this.low)); }

  #column(point, index, go) {
    const [x, end] = [this.#x(index), this.#x(index + 1)];
    const rect = s("rect", { class: "deal", x, y: 0, width: end - x, height: HEIGHT + 18 }, s("title", {}, _("Go to %(deal)s", { deal: point.name })));
    rect.addEventListener("click", () => go(point.step));
    return rect;
  }

  #axes() {
    const lines = [this.low, this.high].map((score) => `M${LEFT} ${this.#y(score)}H${WIDTH - RIGHT}`).join("");
    const text = (x, y, words, anchor) => s("text", { x, y, "text-anchor": anchor }, words);
    return [
      s("path", { class: "grid", d: lines }),
      ...[this.low, this.high].map((score) => text(LEFT - 4, this.#y(score) + 4, String(score), "end")),
      text(LEFT, HEIGHT + 14, _("start"), "start"), text(WIDTH - RIGHT, HEIGHT + 14, this.points.at(-1).name, "end"),
    ];
  }

  #line(seat) {
    const ends = this.points.map(({ scores }, index) => `L${this.#x(index + 1)} ${this.#y(scores[seat])}`);
    return s("path", { class: `line seat-${seat}`, d: `M${this.#x(0)} ${this.#y(Math.min(Math.max(0, this.low), this.high))}${ends.join("")}` });
  }

  /** Names at the ends of their lines, moved apart if they would overlap. */
  #ends(names) {
    const last = this.points.at(-1).scores;
    let free = -Infinity;
    return names.map((name, seat) => seat).sort((a, b) => last[b] - last[a]).map((seat) => {
      free = Math.max(this.#y(last[seat]) + 4, free + 10);
      return s("text", { x: WIDTH - RIGHT + 4, y: free, class: `seat-${seat}` }, short(names[seat]));
    });
  }

  #table(names) {
    const head = h("tr", {}, h("th", { scope: "col" }, this.words.deal), ...names.map((name) => h("th", { scope: "col", class: "num" }, ...breakable(name))));
    const rows = this.points.map(({ step, name, scores }) => h("tr", {},
      h("th", { scope: "row" }, h("button", { type: "button", "data-step": step }, name)),
      ...scores.map((score) => h("td", { class: "num" }, String(score)))));
    const table = h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows));
    const wrap = h("div", { class: "table-wrap", tabindex: 0, role: "region", "aria-label": this.title }, table);
    return h("details", {}, h("summary", {}, _("As a table")), wrap);
  }

  /** Mark a step. `last` is the number of the last step. */
  mark(step, last) {
    if (!this.now) return;
    const index = this.starts.findLastIndex((start) => start <= step);
    const end = this.starts[index + 1] ?? last + 1;
    const x = index < 0 ? LEFT : this.#x(index + (step - this.starts[index]) / (end - this.starts[index]));
    this.now.setAttribute("d", `M${x} 0V${HEIGHT}`);
  }
}
