/* The same deals in other seatings, as pure functions: what the cards were worth, and what each bot made of them.
   A seating is {match, seating, names, word, starts, scores}: `word` is the game's for a deal, `scores` has the points of each
   deal by seat, `starts` the replay's step that begins it. */
import { dealOf } from "./replay-state.js";
import { number } from "./words.js";

/** Average points that the cards of each seat brought in a deal, over the seatings that played it. */
export function worth(seatings, deal) {
  const played = seatings.flatMap(({ scores }) => (scores[deal] ? [scores[deal]] : []));
  return played[0].map((points, seat) => played.reduce((sum, scores) => sum + scores[seat], 0) / played.length);
}

/** For each deal of the first seating, by seat: {points, cards, skill}, `cards` being what they were worth. */
export function luckAndSkill(seatings) {
  return seatings[0].scores.map((scores, deal) => {
    const cards = worth(seatings, deal);
    return scores.map((points, seat) => ({ points, cards: cards[seat], skill: points - cards[seat] }));
  });
}

/** Sums over the deals, by seat. */
export function totals(deals) {
  const sum = (seat, key) => deals.reduce((total, cells) => total + cells[seat][key], 0);
  return deals[0].map((cell, seat) => ({ points: sum(seat, "points"), cards: sum(seat, "cards"), skill: sum(seat, "skill") }));
}

/** What every bot made of the cards of one seat in a deal, best first: {seating, name, points, here}. */
export function holders(seatings, deal, seat) {
  const found = seatings.flatMap((one) => (one.scores[deal] ? [{ seating: one, name: one.names[seat], points: one.scores[deal][seat], here: one === seatings[0] }] : []));
  return found.sort((a, b) => b.points - a.points);
}

/** The step of another seating that is as far into the same deal as `step` is here; the last deal that it played, if it ended earlier. */
export function sameStep(here, there, step) {
  const deal = dealOf(here.starts, step);
  if (deal >= there.starts.length) return there.starts.at(-1);
  const end = there.starts[deal + 1] ?? Infinity;
  return Math.min(there.starts[deal] + step - here.starts[deal], end - 1);
}

/** A difference with its sign: +2.5, −3.0, 0.0. */
export function signed(value) {
  const text = number(Math.abs(value), 1);
  if (text === number(0, 1)) return text;
  return (value > 0 ? "+" : "−") + text;
}
