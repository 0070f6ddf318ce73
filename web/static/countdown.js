/* Countdowns beside absolute times: [data-countdown] holds an ISO 8601 time. When the first one has passed, the document
   gets the event "due", which a polled part may wait for. */
import { countdown } from "./text.js";

const LATE = 5000; // milliseconds that the arena may take to start a tournament
let timer = null;
const sent = new Set();

function tick() {
  clearTimeout(timer);
  const left = [...document.querySelectorAll("[data-countdown]")].map(show);
  if (!left.length || document.hidden) return;
  const soonest = Math.min(...left);
  timer = setTimeout(tick, soonest < 3_600_000 ? 1000 : 30_000);
}

/** Show the time that is left, and return it in milliseconds. */
function show(element) {
  const { countdown: at } = element.dataset;
  const left = new Date(at) - Date.now();
  element.textContent = ` · ${countdown(Math.ceil(left / 1000))}`;
  if (left < -LATE && !sent.has(at)) {
    sent.add(at);
    document.dispatchEvent(new Event("due"));
  }
  return left;
}

document.addEventListener("visibilitychange", tick);
document.addEventListener("htmx:afterSwap", tick);
tick();
