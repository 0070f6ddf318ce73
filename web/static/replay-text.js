/* Words and pictures for tokens and events. */

const RANKS = { 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" };
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const SVG = "http://www.w3.org/2000/svg";

export function cardName(token) {
  if (token[0] === "X") return `joker ${token[1]}`;
  return token[1] in SUITS ? `${RANKS[token[0]]} of ${SUITS[token[1]]}` : RANKS[token] ?? token;
}

export const suitName = (letter) => SUITS[letter] ?? letter;

/** An element with attributes and children; strings become text. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value != null) element.setAttribute(name, value);
  element.append(...children.filter((child) => child != null));
  return element;
}

/** A symbol of the sprite. */
export function symbol(cards, id, kind, box) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", kind);
  svg.setAttribute("viewBox", box);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${cards}#${id}`);
  svg.append(use);
  return svg;
}

export const suitSymbol = (cards, letter) => symbol(cards, `suit-${letter}`, `suit suit-${letter}`, "0 0 20 20");

/** A card in a line of text: its rank and a small suit, and its name for those who listen. */
function chip(cards, token) {
  const face = h("span", { class: "r-chip", "aria-hidden": "true" });
  if (token[0] === "X" || !(token[1] in SUITS)) face.append(token[0] === "X" ? `★${token[1]}` : token);
  else face.append(token[0] === "T" ? "10" : token[0], suitSymbol(cards, token[1]));
  return [face, h("span", { class: "visually-hidden" }, cardName(token))];
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The parts of an event's text: strings, {name}, {token}. Tokens are only those of the event's own cards. */
function parts(event, names) {
  const tokens = event.cards.map((token) => `\\b${escaped(token)}\\b`);
  const pattern = new RegExp(`(${["\\{\\d+\\}", ...tokens].join("|")})`);
  return event.text.split(pattern).filter(Boolean).map((part) => {
    if (/^\{\d+\}$/.test(part)) return { name: names[Number(part.slice(1, -1))] };
    return event.cards.includes(part) ? { token: part } : part;
  });
}

/** What a step says, as nodes. */
export function stepNodes(step, names, cards) {
  return sentences(step).flatMap((event, index) => [
    ...(index ? [" "] : []),
    ...parts(event, names).flatMap((part) => {
      if (part.name !== undefined) return [h("b", {}, part.name)];
      return part.token ? chip(cards, part.token) : [part];
    }),
  ]);
}

/** What a step says, as plain text. */
export const stepText = (step, names) =>
  sentences(step).map((event) => parts(event, names).map((part) => part.name ?? (part.token ? cardName(part.token) : part)).join("")).join(" ");

/** Dealing says one sentence, not one for every hand. */
const sentences = (step) => (step.events[0]?.kind === "deal" ? step.events.filter((event) => event.seat === null || !event.cards.length) : step.events);

/** Names by seat; a name that sits twice says where. */
export function seatNames(seats) {
  const all = seats.map((seat) => seat.name);
  return all.map((name, seat) => (all.indexOf(name) === all.lastIndexOf(name) ? name : `${name} (${seat + 1})`));
}
