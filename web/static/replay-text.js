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
  const said = sentences(step, names);
  return said.map((part, index) => {
    if (part.name !== undefined) return h("b", {}, part.name);
    if (!part.token) return said[index - 1]?.token ? part.replace(STOP, "") : part;
    return h("span", { class: "nowrap" }, ...deck.chip(part.token), STOP.exec(said[index + 1] ?? "")?.[0]);
  });
}

const STOP = /^[.,:;)]+/; // stays on the line of the card before it

/** What a step says, as plain text. */
export const stepText = (step, names, deck) =>
  sentences(step, names).map((said) => said.name ?? (said.token ? deck.name(said.token) : said)).join("");

/** The parts of everything that a step says. What several do alike is said once: "Ann plays 5, Ben 7, Cid 7." */
function sentences(step, names) {
  const said = [];
  let pattern = null;
  const first = (event) => event === step.events.find(({ text }) => text === event.text);
  for (const event of step.events.filter((event) => first(event) && telling(event, step.events[0]))) {
    const sentence = parts(event, names);
    const words = sentence.filter((part) => typeof part === "string").join("…");
    const alike = words === pattern && sentence.length === 4 && sentence[0].name !== undefined && sentence[2].token;
    if (alike) said.splice(-1, 1, ", ", sentence[0], " ", sentence[2], sentence[3]);
    else said.push(...(said.length ? [" "] : []), ...sentence);
    pattern = words;
  }
  return said;
}

/** Whether an event has its own sentence: what moves face down, or is dealt to a player, the step's first one covers. */
const telling = (event, first) => event === first || !event.cards.length || (event.seen_by === null && (first.kind !== "deal" || event.seat === null));

/** Names by seat; a name that sits twice says where. */
export function seatNames(seats) {
  const all = seats.map((seat) => seat.name);
  return all.map((name, seat) => (all.indexOf(name) === all.lastIndexOf(name) ? name : `${name} (${seat + 1})`));
}
