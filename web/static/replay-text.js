/* Text of steps, hands and ranks. */
import { breakable, h } from "./replay-deck.js";
import { knows } from "./replay-state.js";
import { _, language, pgettext } from "./words.js";

const MARKS = /(\{\d+\}|\[.+?\])/; // "{0}" is the name of a seat, "[QS]" a card
const STOP = /^[.,:;)。，：；）、]+/; // stays on the line of the card before it

/** What an analysis calls a decision. */
export const JUDGED = {
  best: pgettext("decision", "best"), good: pgettext("decision", "good"), inaccuracy: pgettext("decision", "inaccuracy"),
  mistake: pgettext("decision", "mistake"), blunder: pgettext("decision", "blunder"),
};
/** Kinds of faults of bots. */
export const FAULTS = {
  illegal: pgettext("fault", "illegal"), error: pgettext("fault", "error"), timeout: pgettext("fault", "timeout"),
  memory: pgettext("fault", "memory"), crash: pgettext("fault", "crash"), protocol: pgettext("fault", "protocol"), ponder: pgettext("fault", "ponder"),
};

/** Text of a step as nodes. */
export function stepNodes({ says }, names, deck) {
  const parts = says.split(MARKS);
  return parts.map((part, index) => {
    if (index % 2 === 0) return parts[index - 1]?.startsWith("[") ? part.replace(STOP, "") : part;
    const mark = part.slice(1, -1);
    if (part.startsWith("{")) return h("b", {}, ...breakable(names[mark]));
    return h("span", { class: "nowrap" }, ...deck.chip(mark), STOP.exec(parts[index + 1])?.[0]);
  });
}

/** Nodes of a line of parts. In a list with suits each item keeps its suit and its comma on its line. */
export function nodes(line, names, deck) {
  const commas = line.flatMap((part, index) => (part === ", " ? [index] : []));
  if (!commas.length || !line.some(({ suit }) => suit)) return plain(line, names, deck);
  const item = (start, end) => h("span", { class: "m-item" }, ...plain(line.slice(start, end), names, deck), end < line.length ? "," : null);
  return [...commas, line.length].flatMap((end, index) => [item(index ? commas[index - 1] + 1 : 0, end), " "]);
}

function plain(line, names, deck) {
  return line.flatMap((part) => {
    if (part.card) return h("span", { class: "nowrap" }, ...deck.chip(part.card));
    if (part.suit) return [deck.suit(part.suit), h("span", { class: "visually-hidden" }, deck.suitName(part.suit))];
    return part.name === undefined ? part : h("b", {}, ...breakable(names[part.name] ?? _("seat %(number)s", { number: part.name }))); // a dummy has no name
  });
}

/** Text of a step without markup. */
export const stepText = ({ says }, names, deck) =>
  says.replace(new RegExp(MARKS, "g"), (part) => (part.startsWith("{") ? names[part.slice(1, -1)] : deck.name(part.slice(1, -1))));

/** Names by seat; a name that occurs twice gets its seat number. */
export function seatNames(seats) {
  const all = seats.map((seat) => seat.name);
  return all.map((name, seat) => (all.indexOf(name) === all.lastIndexOf(name) ? name : `${name} (${seat})`));
}

export const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** The cards that a viewer knows by name, and the number of the others: "Jack of Hearts, 2 face down". */
export function listed(cards, viewer, deck) {
  const known = cards.filter((card) => knows(viewer, card)).map((card) => deck.name(card.token));
  const hidden = cards.length - known.length;
  return [...known, ...(hidden ? [_("%(count)s face down", { count: hidden })] : [])].join(", ");
}

export const holding = (name, cards, viewer, deck) => (cards.length
  ? _("%(name)s holds %(cards)s", { name, cards: listed(cards, viewer, deck) }) : _("%(name)s holds no cards", { name }));

const english = (rank) => `${rank}${["th", "st", "nd", "rd"][rank % 10 > 3 || (rank % 100 > 10 && rank % 100 < 14) ? 0 : rank % 10]}`;

/** A place as an ordinal number: 1st, 2nd, 11th. */
export const ordinal = (rank) => (language === "en" ? english(rank) : _("#%(rank)s", { rank }));
