/* Elements, and the pictures and words of a deck as the page describes it. Knows no card by itself. */

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; strings become text, null is left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value != null) element.setAttribute(name, value);
  element.append(...children.filter((child) => child != null));
  return element;
}

export class Deck {
  /** `id` as the game says; {url, cards: [[token, name, label, suit]] in the order of a hand, suits: {letter: name}}. */
  constructor(id, { url, cards, suits }) {
    Object.assign(this, { id, url, suits });
    this.faces = new Map(cards.map(([token, name, label, suit], order) => [token, { name, label, suit, order }]));
  }

  name(token) { return this.faces.get(token)?.name ?? token; }

  suitName(letter) { return this.suits[letter] ?? letter; }

  /** Where people put the card in their hands; unknown ones last. */
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

  /** The picture of a card, or of its back. */
  card(id) { return this.#symbol(id, "card", "0 0 100 140"); }

  suit(letter) { return this.#symbol(`suit-${letter}`, `suit ${this.id}-${letter}`, "0 0 20 20"); }

  /** A card in a line of text: its rank and a small suit, and its name for those who listen. */
  chip(token) {
    const face = this.faces.get(token);
    const shown = h("span", { class: "r-chip", "aria-hidden": "true" }, face?.label ?? token, face?.suit ? this.suit(face.suit) : null);
    return [shown, h("span", { class: "visually-hidden" }, this.name(token))];
  }
}
