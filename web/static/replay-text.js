/* Text of events, hands and ranks. */
import { breakable, h } from "./replay-deck.js";
import { knows } from "./replay-fold.js";

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Split an event's text into strings, {name} and {token}. Only the event's own cards count as tokens. */
function parts(event, names) {
  const tokens = event.cards.map((token) => `\\b${escaped(token)}\\b`);
  const pattern = new RegExp(`(${["\\{\\d+\\}", ...tokens].join("|")})`);
  return event.text.split(pattern).filter(Boolean).map((part) => {
    if (/^\{\d+\}$/.test(part)) return { name: names[Number(part.slice(1, -1))] };
    return event.cards.includes(part) ? { token: part } : part;
  });
}

/** Text of a step as nodes. */
export function stepNodes(step, names, deck) {
  const all = sentences(step, names);
  return all.map((part, index) => {
    if (part.name !== undefined) return h("b", {}, ...breakable(part.name));
    if (!part.token) return all[index - 1]?.token ? part.replace(STOP, "") : part;
    return h("span", { class: "nowrap" }, ...deck.chip(part.token), STOP.exec(all[index + 1] ?? "")?.[0]);
  });
}

const STOP = /^[.,:;)]+/; // stays on the line of the card before it

/** Text of a step without markup. */
export const stepText = (step, names, deck) =>
  sentences(step, names).map((part) => part.name ?? (part.token ? deck.name(part.token) : part)).join("");

/** Parts of a step's sentences. Like sentences are joined: "Ann plays 5, Ben 7, Cid 7." */
function sentences(step, names) {
  const joined = [];
  let pattern = null;
  for (const event of spokenEvents(step)) {
    const sentence = parts(event, names);
    const words = sentence.filter((part) => typeof part === "string").join("…");
    const alike = words === pattern && sentence.length === 4 && sentence[0].name !== undefined && sentence[2].token;
    if (alike) joined.splice(-1, 1, ", ", sentence[0], " ", sentence[2], sentence[3]);
    else joined.push(...(joined.length ? [" "] : []), ...sentence);
    pattern = words;
  }
  return joined;
}

/** Events of a step that need a sentence, without repeated texts. */
function spokenEvents({ events }) {
  const isFirst = (event) => event === events.find(({ text }) => text === event.text);
  return events.filter((event) => isFirst(event) && needsSentence(event, events[0]));
}

/** Whether an event needs its own sentence: the step's first event covers cards that move face down or are dealt to a player. */
const needsSentence = (event, first) => event === first || !event.cards.length || (event.seen_by === null && (first.kind !== "deal" || event.seat === null));

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
  return [...known, ...(hidden ? [`${hidden} face down`] : [])].join(", ");
}

export const holding = (name, cards, viewer, deck) => (cards.length ? `${name} holds ${listed(cards, viewer, deck)}` : `${name} holds no cards`);

/** An English ordinal: 1st, 2nd, 11th. */
export const ordinal = (rank) => `${rank}${["th", "st", "nd", "rd"][rank % 10 > 3 || (rank % 100 > 10 && rank % 100 < 14) ? 0 : rank % 10]}`;
