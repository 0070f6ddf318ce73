/* The replay as pure functions: events folded over places and facts. Knows no game and no page.

   A card is {id, token, seen, from}: `id` is its own for one deal, `seen` the set of seats that know its face (null for
   everybody), `from` the place where it lay before. A state is {places: Map(name -> [card]), facts, swept, last}: `swept`
   are the cards that this step took from the table for a winner or the discards, `last` is {cards, seat} of the last step in which somebody won
   some, or null. */

const startsDeal = (step) => step.events[0]?.kind === "deal";

/** The steps at which deals begin; always at least [0]. */
export function deals(steps) {
  const starts = steps.flatMap((step, index) => (startsDeal(step) ? [index] : []));
  return starts[0] === 0 ? starts : [0, ...starts];
}

/** The index in `starts` of the deal that a step belongs to. */
export function dealOf(starts, step) {
  let deal = 0;
  while (deal + 1 < starts.length && starts[deal + 1] <= step) deal += 1;
  return deal;
}

/** What the deals are called (Hand 2, Round 2): the game's first fact counts them, and what it does not count is extra. */
export function dealNames(steps, starts, { key, label }) {
  const numbers = starts.map((step) => steps[step].events[0].facts[key]);
  return numbers.map((number) => (number === undefined ? "Extra deal" : `${label} ${number}`));
}

/** The facts as they stand before each deal, so that a state is folded from its own deal only. */
export function factsBefore(steps, starts) {
  const before = [];
  let facts = {};
  steps.forEach((step, index) => {
    if (starts.includes(index)) before.push({ ...facts });
    for (const event of step.events) Object.assign(facts, event.facts);
  });
  return before;
}

const within = (place, source) => place === source || place.startsWith(`${source}:`);

function take(places, source, token) {
  for (const [place, cards] of places) {
    if (!within(place, source)) continue;
    const at = cards.findIndex((card) => card.token === token);
    if (at >= 0) return { ...cards.splice(at, 1)[0], from: place };
  }
  return null;
}

/** Who knows a card after it moved: whoever knew it before, and whoever sees it now. */
function knowing(card, seenBy) {
  if (seenBy === null || card?.seen === null) return null;
  return new Set([...(card?.seen ?? []), ...seenBy]);
}

function apply(state, event, step, number) {
  Object.assign(state.facts, event.facts);
  const moved = event.cards.map((token, index) => {
    const card = take(state.places, event.source, token);
    return { id: card?.id ?? `${step}.${number}.${index}`, token, seen: knowing(card, event.seen_by), from: card?.from ?? null };
  });
  if (!moved.length || !event.target) return;
  if (!state.places.has(event.target)) state.places.set(event.target, []);
  state.places.get(event.target).push(...moved);
  if (/^(won:|discard$)/.test(event.target)) state.swept.push(...moved.filter(({ from }) => from && !/^(hand|pile):/.test(from)));
  if (event.target.startsWith("won:")) state.last = { cards: state.swept, seat: Number(event.target.slice(4)) };
}

/** The state after a step. */
export function stateAt(steps, starts, before, at) {
  const deal = dealOf(starts, at);
  const state = { places: new Map(), facts: structuredClone(before[deal]), swept: [], last: null };
  for (let index = starts[deal]; index <= at; index += 1) {
    state.swept = [];
    steps[index].events.forEach((event, number) => apply(state, event, index, number));
  }
  return state;
}

/** The first step that shows a move or comes after it: moves made at the same time are told together. -1 for none. */
export const stepOf = (steps, move) => steps.findIndex((step) => step.move >= move && step.move !== null);

/** The seat that moves next, or null where a step of the arena comes first, or nothing. */
export const turnAfter = (steps, at) => (steps[at + 1]?.move == null ? null : steps[at + 1].events[0].seat);

/** Whether a viewer (a seat, or null for one who sees everything) knows the face of a card. */
export const knows = (viewer, card) => viewer === null || card.seen === null || card.seen.has(viewer);

/** The cards of a hand as people hold them, by `order` of a token; unknown ones last. */
export function sorted(cards, viewer, order) {
  const key = (card) => (knows(viewer, card) ? order(card.token) : Infinity);
  return [...cards].sort((a, b) => key(a) - key(b) || 0);
}
