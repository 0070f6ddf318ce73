/* The wall: turn the pages of the standings, full screen, and keep the screen awake meanwhile. */
import { pagesOf, turned } from "./turns.js";
import { _ } from "./words.js";

const SECONDS = 10;
const list = () => document.querySelector("[data-turning]");
let page = 0;

/** Show the present page of the standings; the list that a poll brings begins at its first. */
function show() {
  const turning = list();
  if (!turning) return;
  const pages = pagesOf(turning.scrollHeight, turning.clientHeight);
  page = Math.min(page, pages - 1);
  turning.scrollTop = page * turning.clientHeight;
  document.querySelector("[data-turn]").textContent = pages > 1 ? _("%(number)s of %(count)s", { number: page + 1, count: pages }) : "";
}

setInterval(() => {
  const turning = list();
  if (!turning || document.hidden) return;
  page = turned(page, pagesOf(turning.scrollHeight, turning.clientHeight));
  show();
}, SECONDS * 1000);
document.addEventListener("htmx:afterSwap", show);
addEventListener("resize", show);
show();

const button = document.querySelector("[data-full-screen]");
if (document.documentElement.requestFullscreen) {
  button.hidden = false;
  button.addEventListener("click", () => document.documentElement.requestFullscreen());
}
document.addEventListener("fullscreenchange", () => {
  if (document.fullscreenElement) navigator.wakeLock?.request("screen").catch(() => {}); // refused on a low battery
  else button.focus(); // it was out of sight meanwhile
});
