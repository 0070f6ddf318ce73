/* The replay as pure functions that fold events into states. Independent of any game and of the page.

   A card is {id, token, seen, from}: `id` is unique within a deal, `seen` is the set of seats that know its face (null for
   all), `from` is its previous place. A state is {places: Map(name -> [card]), facts, swept, last}: `swept` holds the cards
   that this step moved from the table to a winner or the discards; `last` is {cards, seat} of the latest step in which a
   seat won cards, or null. */

const startsDeal = (step) => step.events[0]?.kind === "deal";

/** Indices of the steps that begin a deal; at least [0]. */
export function deals(steps) {
  const starts = steps.flatMap((step, index) => (startsDeal(step) ? [index] : []));
  return starts[0] === 0 ? starts : [0, ...starts];
}

/** Index in `starts` of the deal that a step belongs to. */
export function dealOf(starts, step) {
  let deal = 0;
  while (deal + 1 < starts.length && starts[deal + 1] <= step) deal += 1;
  return deal;
}

/** Names of the deals, such as "Hand 2": the game's first fact numbers them, and a deal without a number is extra. */
export function dealNames(steps, starts, { key, label }) {
  const numbers = starts.map((step) => steps[step].events[0].facts[key]);
  return numbers.map((number) => (number === undefined ? "Extra deal" : `${label} ${number}`));
}

/** Facts before each deal, so that a state is folded from the start of its own deal. */
export function factsBefore(steps, starts) {
  const before = [];
  const facts = {};
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

/** Seats that know a card after a move: the ones that knew it before and the ones that see it move. An open card that leaves
    a hand in secret may be any of that hand for all others. */
function knowing(card, seenBy) {
  if (seenBy === null || (card?.seen === null && !/^hand:/.test(card.from))) return null;
  return new Set([...(card?.seen ?? []), ...seenBy]);
}

/** Turn down the open cards of a place from which cards were taken in secret: what is left would give away what is gone. */
function turnDown(places, source, seenBy) {
  for (const card of places.get(source) ?? []) card.seen ??= new Set(seenBy);
}

function apply(state, event, step, number) {
  Object.assign(state.facts, event.facts);
  const moved = event.cards.map((token, index) => {
    const card = take(state.places, event.source, token);
    return { id: card?.id ?? `${step}.${number}.${index}`, token, seen: knowing(card, event.seen_by), from: card?.from ?? null };
  });
  if (!moved.length || !event.target) return;
  if (event.seen_by !== null && /^hand:/.test(event.source)) turnDown(state.places, event.source, event.seen_by);
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

/** Index of the first step that shows a move or a later one, or -1: simultaneous moves share a step. */
export const stepOf = (steps, move) => steps.findIndex((step) => step.move >= move && step.move !== null);

/** Seat that moves next; null if the next step is the arena's or there is none. */
export const turnAfter = (steps, at) => (steps[at + 1]?.move == null ? null : steps[at + 1].events[0].seat);

/** Whether a viewer (a seat, or null to see everything) knows the face of a card. */
export const knows = (viewer, card) => viewer === null || card.seen === null || card.seen.has(viewer);

/** The cards of a hand sorted by `order` of their tokens; face-down cards last. */
export function sorted(cards, viewer, order) {
  const key = (card) => (knows(viewer, card) ? order(card.token) : Infinity);
  return [...cards].sort((a, b) => key(a) - key(b) || 0);
}

/** Indices of the steps that clear the table: a trick is won, or its cards are discarded. */
export function tricks(steps) {
  const clears = ({ cards, source, target }) => cards.length > 0 && (/^won:/.test(target) || (target === "discard" && !/^(hand|pile)/.test(source)));
  return steps.flatMap(({ events }, index) => (events.some(clears) ? [index] : []));
}

const OWN = /^(hand|table|won|bid|packet|stock|discard)\b/;

/** What has to fit on the table: the most `cards` in a hand, set `aside` by a seat, `piles` of seats, and piles in the `middle` besides the discards. */
export function holdings(steps, facts, seats) {
  const owned = facts.some(({ kind, per_seat: perSeat }) => perSeat && kind === "suit");
  const most = mostCards(steps);
  const places = [...most.keys()];
  const largest = (kinds) => Math.max(0, ...places.filter((place) => kinds.test(place)).map((place) => most.get(place)));
  const middle = places.filter((place) => !OWN.test(place) && !(owned && seats > 1 && place.startsWith("pile:")));
  return {
    cards: Math.max(1, largest(/^hand:/)), aside: largest(/^(bid|packet):/), piles: owned && places.some((place) => place.startsWith("pile:")), middle: middle.length,
  };
}

/** The most cards that each place holds within a deal, by name. */
function mostCards(steps) {
  const [sizes, most] = [new Map(), new Map()];
  const change = (place, by) => sizes.set(place, (sizes.get(place) ?? 0) + by);
  for (const step of steps) {
    if (startsDeal(step)) sizes.clear();
    for (const { cards, source, target } of step.events.filter((event) => event.cards.length && event.target)) {
      change(source, -cards.length);
      change(target, cards.length);
      most.set(target, Math.max(most.get(target) ?? 0, sizes.get(target)));
    }
  }
  return most;
}
