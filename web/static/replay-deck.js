/* DOM elements, and the pictures and names of a deck's cards, which the page describes. */
import { nameParts } from "./text.js";

const SVG = "http://www.w3.org/2000/svg";

/** Create an element with attributes and children; strings become text nodes, null is skipped. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value != null) element.setAttribute(name, value);
  element.append(...children.filter((child) => child != null));
  return element;
}

/** The nodes of a bot's name, which breaks after its underscores and full stops rather than in the middle of a word. */
export const breakable = (name) => nameParts(name).flatMap((part, index) => (index ? [h("wbr"), part] : [part]));

export class Deck {
  /** @param id the game's deck; `url` of its sprite; `cards` as [token, name, label, suit] in hand order; `suits` as {letter: name}. */
  constructor(id, { url, cards, suits }) {
    Object.assign(this, { id, url, suits });
    this.faces = new Map(cards.map(([token, name, label, suit], order) => [token, { name, label, suit, order }]));
  }

  name(token) { return this.faces.get(token)?.name ?? token; }

  suitName(letter) { return this.suits[letter] ?? letter; }

  /** Position of a card in a sorted hand; unknown tokens come last. */
  order(token) { return this.faces.get(token)?.order ?? this.faces.size; }

  href(id) { return `${this.url}#${id}`; }

  #symbol(id, kind, box) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", kind);
    svg.setAttribute("viewBox", box);
    svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", this.href(id));
    svg.append(use);
    return svg;
  }

  /** Picture of a card, or of a card's back. */
  card(id) { return this.#symbol(id, "card", "0 0 100 140"); }

  suit(letter) { return this.#symbol(`suit-${letter}`, `suit ${this.id}-${letter}`, "0 0 20 20"); }

  /** A card in running text: its rank and a small suit, and its full name for screen readers. */
  chip(token) {
    const face = this.faces.get(token);
    const shown = h("span", { class: "r-chip", "aria-hidden": "true" }, face?.label ?? token, face?.suit ? this.suit(face.suit) : null);
    return [shown, h("span", { class: "visually-hidden" }, this.name(token))];
  }
}
