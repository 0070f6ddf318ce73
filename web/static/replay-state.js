/* The state of the table after a step, from the frames that the server sends (`arena.match.frames`). */

import { _ } from "./words.js";

/** Data from the server. Throws an error that says what it answered instead. */
export async function fetchJson(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(_("the server answered %(status)s", { status: answer.status }));
  return answer.json();
}

/** Index of the deal that a step belongs to, from the steps that begin the deals. */
export const dealOf = (starts, step) => Math.max(0, starts.findLastIndex((start) => start <= step));

const merged = (frames, key) => Object.assign({}, ...frames.map((frame) => frame[key]));

/** The state after a step: `places` as Map(name -> [card]), `facts`, the places that the step `cleared` with whether their
    card won, and `last`, the {seat, cards} of the latest step in which a seat won cards, or undefined. A card is {id, token, seen}:
    `id` is unique within a deal, `seen` has the seats that know its face (null for all). */
export function stateAt({ steps, starts, cards }, at) {
  const dealt = steps.slice(starts[dealOf(starts, at)], at + 1);
  const placed = (numbers) => numbers.map((number) => cards[number]);
  const last = dealt.findLast(({ won }) => won)?.won;
  return {
    places: new Map(Object.entries(merged(dealt, "places")).map(([place, numbers]) => [place, placed(numbers)])),
    facts: merged(steps.slice(0, at + 1), "facts"),
    cleared: steps[at].cleared ?? {},
    last: last && { seat: last.seat, cards: placed(last.cards) },
  };
}

/** Index of the first step that shows a move or a later one, or -1: simultaneous moves share a step. */
export const stepOf = (steps, move) => steps.findIndex((step) => step.move >= move && step.move !== null);

/** Seat that moves next; null if the next step is the arena's or there is none. */
export const turnAfter = (steps, at) => steps[at + 1]?.seat ?? null;

/** Whether a viewer (a seat, or null to see everything) knows the face of a card. */
export const knows = (viewer, card) => viewer === null || card.seen === null || card.seen.includes(viewer);

/** The cards of a hand sorted by `order` of their tokens; face-down cards last. */
export function sorted(cards, viewer, order) {
  const key = (card) => (knows(viewer, card) ? order(card.token) : Infinity);
  return [...cards].sort((a, b) => key(a) - key(b) || 0);
}
