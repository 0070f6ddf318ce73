/* Words for events. */
import { h } from "./replay-deck.js";

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
export function stepNodes(step, names, deck) {
  return sentences(step).flatMap((event, index) => [
    ...(index ? [" "] : []),
    ...parts(event, names).flatMap((part) => {
      if (part.name !== undefined) return [h("b", {}, part.name)];
      return part.token ? deck.chip(part.token) : [part];
    }),
  ]);
}

/** What a step says, as plain text. */
export const stepText = (step, names, deck) =>
  sentences(step).map((event) => parts(event, names).map((part) => part.name ?? (part.token ? deck.name(part.token) : part)).join("")).join(" ");

/** Dealing says one sentence, not one for every hand. */
const sentences = (step) => (step.events[0]?.kind === "deal" ? step.events.filter((event) => event.seat === null || !event.cards.length) : step.events);

/** Names by seat; a name that sits twice says where. */
export function seatNames(seats) {
  const all = seats.map((seat) => seat.name);
  return all.map((name, seat) => (all.indexOf(name) === all.lastIndexOf(name) ? name : `${name} (${seat + 1})`));
}
