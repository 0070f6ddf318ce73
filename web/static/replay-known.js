/* A view in words: what a seat knew, as rows of lines of parts. Independent of the games: it goes by the shapes of values.
   A part is a string, {card: token}, {suit: letter} or {name: seat}. */
import { capital, nodes } from "./replay-text.js";
import { _, number, pgettext } from "./words.js";

/** Keys that the page shows elsewhere. */
const ELSEWHERE = new Set(["seat", "phase", "legal", "deal", "round", "hand_number", "trick_number", "attempt_number"]);
/** Keys whose number is a seat. */
const SEATS = new Set(["seat", "dealer", "leader", "last_winner", "passing_to"]);

/** Rows {label, lines} of a view that say something; the cards of the hand come first, as in the view. */
export function known(view, deck) {
  const players = playersOf(view);
  return Object.entries(view)
    .filter(([key, value]) => !ELSEWHERE.has(key) && !isEmpty(value))
    .map(([key, value]) => ({ label: capital(words(key)), lines: lines(key, value, players, deck) }));
}

/** An action as parts: "5H", "trump:S" or "5D,9D". */
export function actionParts(token, deck) {
  return token.split(",").flatMap((word, index) => [...(index ? [" "] : []), ...wordParts(word, deck)]);
}

/** Nodes of an action. */
export const actionNodes = (token, deck) => nodes(actionParts(token, deck), [], deck);

/** Words of views and actions. */
const WORDS = {
  alpha: pgettext("view", "alpha"), attempts: pgettext("view", "attempts"), bid: pgettext("view", "bid"), bids: pgettext("view", "bids"),
  cancelling: pgettext("view", "cancelling"), chosen: pgettext("view", "chosen"), claims: pgettext("view", "claims"), dealer: pgettext("view", "dealer"),
  discards: pgettext("view", "discards"), drawn: pgettext("view", "drawn"), exchange: pgettext("view", "exchange"), hand: pgettext("view", "hand"),
  hands: pgettext("view", "hands"), last_points: pgettext("view", "last points"), last_winner: pgettext("view", "last winner"),
  last_won: pgettext("view", "last won"), leader: pgettext("view", "leader"), led: pgettext("view", "led"), levels: pgettext("view", "levels"),
  nominations: pgettext("view", "nominations"), packet: pgettext("view", "packet"), passed: pgettext("view", "passed"), passing_to: pgettext("view", "passing to"),
  penalties: pgettext("view", "penalties"), penalty: pgettext("view", "penalty"), pile: pgettext("view", "pile"), piles: pgettext("view", "piles"),
  plain: pgettext("view", "plain"), points: pgettext("view", "points"), received: pgettext("view", "received"), reverse: pgettext("view", "reverse"),
  roles: pgettext("view", "roles"), scores: pgettext("view", "scores"), suits: pgettext("view", "suits"), supertrump: pgettext("view", "supertrump"),
  taken: pgettext("view", "taken"), tie_break: pgettext("view", "tie break"), trick: pgettext("view", "trick"), tricks: pgettext("view", "tricks"),
  trump: pgettext("view", "trump"), turn_up: pgettext("view", "turn up"), two_of_clubs: pgettext("view", "two of clubs"), decline: pgettext("view", "decline"),
  immunity: pgettext("view", "immunity"), nominate: pgettext("view", "nominate"), pass: pgettext("view", "pass"), play: pgettext("view", "play"),
  poverty: pgettext("view", "poverty"), privilege: pgettext("view", "privilege"), return: pgettext("view", "return"), second_bid: pgettext("view", "second bid"),
  warranty: pgettext("view", "warranty"),
};

const words = (key) => WORDS[key] ?? key.replaceAll("_", " ");

/** Number of seats: every view has totals by seat. */
const playersOf = (view) => view.scores?.length ?? 1;

function isEmpty(value) {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.values(value).every(isEmpty);
}

function lines(key, value, players, deck) {
  if (!Array.isArray(value)) return [inline(key, value, deck)];
  if (value.every(beginsWithSeat)) return value.map(([seat, ...rest]) => [{ name: seat }, " ", ...listed(key, rest.flat(), deck)]);
  if (value.every(Array.isArray)) return bySeat(value, players).map(([seat, items]) => [...seat, ...listed(key, items, deck)]);
  if (value.length === players && players > 1 && !value.some((item) => deck.faces.has(item))) {
    return [joined(bySeat(value, players).map(([seat, item]) => [...seat, ...inline(key, item, deck)]))];
  }
  return [listed(key, value, deck)];
}

/** Whether an item is a seat and what it did or got, such as [2, "trump:S"] or a trick with its leader. */
const beginsWithSeat = (item) => Array.isArray(item) && typeof item[0] === "number" && item.length > 1 && typeof item[1] !== "number";

/** Items with the parts that introduce them: the seat if there is one item for each seat. */
function bySeat(items, players) {
  const introduced = items.map((item, seat) => [items.length === players ? [{ name: seat }, " "] : [], item]);
  return introduced.filter(([, item]) => item !== null && !isEmpty(item));
}

const joined = (parts, by = ", ") => parts.flatMap((some, index) => [...(index ? [by] : []), ...some]);

const listed = (key, items, deck) => joined(items.map((item) => inline(key, item, deck)), " ");

function inline(key, value, deck) {
  if (value === null) return ["–"];
  if (typeof value === "boolean") return [value ? _("yes") : _("no")];
  if (typeof value === "number") return SEATS.has(key) ? [{ name: value }] : [String(value)];
  if (typeof value === "string") return actionParts(value, deck);
  if (Array.isArray(value)) return listed(key, value, deck);
  const entries = Object.entries(value).filter(([, item]) => !isEmpty(item));
  return joined(entries.map(([name, item]) => [`${words(name)} `, ...inline(name, item, deck)]));
}

function wordParts(word, deck) {
  if (deck.faces.has(word)) return [{ card: word }];
  if (word in deck.suits) return [{ suit: word }];
  const [name, suit] = word.split(":");
  return suit in deck.suits ? [`${words(name)} `, { suit }] : [words(word)];
}

/** A time in seconds: 20 µs, 0.4 ms, 12 ms, 3.2 s. */
export function took(seconds) {
  if (seconds >= 1) return `${number(seconds, 1)} s`;
  if (seconds > 0 && seconds < 0.0001) return `${number(seconds * 1e6)} µs`;
  return `${number(seconds * 1000, seconds >= 0.01 ? 0 : 1)} ms`;
}
