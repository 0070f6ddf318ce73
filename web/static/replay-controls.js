/* Controls of the replay: buttons, keys, swipes, choices, playing, and the settings that the browser remembers. */
import { openRules } from "./replay-rules.js";
import { _, pgettext } from "./words.js";

const BEAT = 1150; // milliseconds per step at speed 1
const SWIPE = 36; // pixels
const KEYS = {
  ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", " ": "play", PageUp: "previousDeal", PageDown: "nextDeal",
  f: "turn", v: "look", m: "nextMistake", M: "previousMistake", r: "rules", "?": "help",
};
const SHIFTED = { ArrowLeft: "previousTrick", ArrowRight: "nextTrick" };

export class Controls {
  timer = null;

  constructor(replay) {
    Object.assign(this, { replay, root: replay.root, $: replay.$ });
    this.#listen();
    this.#settings();
    const screen = this.$('[data-do="screen"]');
    screen.hidden = !document.fullscreenEnabled;
  }

  seek(step) { this.pause(); this.replay.go(step); }

  actions = {
    first: () => this.seek(0),
    previous: () => this.seek(this.replay.at - 1),
    next: () => this.seek(this.replay.at + 1),
    last: () => this.seek(this.replay.last),
    previousTrick: () => this.seek(this.replay.tricks.findLast((step) => step < this.replay.at) ?? 0),
    nextTrick: () => this.seek(this.replay.tricks.find((step) => step > this.replay.at) ?? this.replay.last),
    previousDeal: () => this.seek(this.replay.starts.findLast((step) => step < this.replay.at) ?? 0),
    nextDeal: () => this.seek(this.replay.starts.find((step) => step > this.replay.at) ?? this.replay.last),
    nextMistake: () => this.seek(this.replay.analysis.next(this.replay.at) ?? this.replay.at),
    previousMistake: () => this.seek(this.replay.analysis.previous(this.replay.at) ?? this.replay.at),
    play: () => (this.playing ? this.pause() : this.play()),
    turn: () => this.replay.sit((this.replay.south + 1) % this.replay.names.length),
    look: () => this.#look(),
    copy: () => this.#copy(),
    rules: () => openRules(this.root, this.replay.steps, this.replay.at),
    screen: () => (document.fullscreenElement ? document.exitFullscreen() : this.root.requestFullscreen()),
    help: () => this.$(".r-help").showModal(),
    menu: () => this.#menu(!this.$(".r-controls").classList.contains("open")),
  };

  /* Playing */

  get playing() { return this.timer !== null; }

  play() {
    if (this.replay.at === this.replay.last) this.replay.go(0);
    this.#wait();
    this.#showPlaying();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.#showPlaying();
  }

  #wait() {
    const speed = Number(this.$('[data-choose="speed"]').value);
    this.timer = setTimeout(() => {
      this.replay.go(this.replay.at + 1);
      if (this.replay.at < this.replay.last) this.#wait();
      else this.pause();
    }, BEAT / speed);
    this.$(".r-caption").setAttribute("aria-live", speed > 1 ? "off" : "polite");
  }

  #showPlaying() {
    const button = this.$('[data-do="play"]');
    button.setAttribute("aria-label", this.playing ? _("Pause") : pgettext("replay", "Play"));
    button.classList.toggle("playing", this.playing);
    if (!this.playing) this.$(".r-caption").setAttribute("aria-live", "polite");
  }

  /* Clicks, choices, keys and swipes */

  #listen() {
    this.root.addEventListener("click", ({ target }) => this.#click(target.closest("button")));
    this.root.addEventListener("change", ({ target }) => this.#choose(target));
    const scrubber = this.$(".r-scrub input");
    scrubber.addEventListener("input", () => this.seek(Number(scrubber.value)));
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("click", ({ target }) => { if (!target.closest(".r-controls")) this.#menu(false); });
    this.#swipes(this.$(".r-felt"));
  }

  #swipes(felt) {
    let from = null;
    felt.addEventListener("pointerdown", (event) => { from = event.pointerType === "mouse" || !event.isPrimary ? null : event; });
    felt.addEventListener("pointercancel", () => { from = null; });
    felt.addEventListener("pointerup", (event) => {
      if (!from || event.pointerId !== from.pointerId) return;
      const [x, y] = [event.clientX - from.clientX, event.clientY - from.clientY];
      if (Math.abs(x) > SWIPE && Math.abs(x) > 1.5 * Math.abs(y)) this.actions[x < 0 ? "next" : "previous"]();
    });
  }

  #click(button) {
    if (!button) return;
    const { do: action, step, south } = button.dataset;
    if (action) this.actions[action]?.();
    else if (step) this.seek(Number(step));
    else if (south) this.replay.sit(Number(south));
    if (button.closest(".r-menu")) this.#menu(false);
  }

  #choose({ dataset: { choose }, value }) {
    if (choose === "deal") this.seek(this.replay.starts[Number(value)]);
    if (choose === "speed" && this.playing) { this.pause(); this.play(); }
    if (choose === "view") this.replay.see(/^\d+$/.test(value) ? Number(value) : value || null);
  }

  /** Show the knowledge of the next in the list. */
  #look() {
    const { options, selectedIndex } = this.$('[data-choose="view"]');
    this.#choose({ dataset: { choose: "view" }, value: options[(selectedIndex + 1) % options.length].value });
  }

  #menu(open) {
    const button = this.$('[data-do="menu"]');
    const within = this.$(".r-menu").contains(document.activeElement);
    this.$(".r-controls").classList.toggle("open", open);
    button.setAttribute("aria-expanded", String(open));
    if (!open && within) button.focus();
  }

  /** Keys work inside the replay, and on the page while the table is visible, but not in a control that uses them. */
  #key(event) {
    if (event.key === "Escape") this.#menu(false);
    const action = (event.shiftKey && SHIFTED[event.key]) || KEYS[event.key];
    const held = event.ctrlKey || event.altKey || event.metaKey;
    if (!action || held || event.defaultPrevented || !this.#hears(event.target, event.key)) return;
    event.preventDefault();
    this.actions[action]();
  }

  #hears(target, key) {
    if (!this.keys || document.querySelector("dialog[open]") || usesKey(target, key)) return false;
    return this.root.contains(target) || (target === document.body && this.replay.inSight());
  }

  /* Settings that the browser remembers */

  #settings() {
    const set = { colours: (on) => this.root.classList.toggle("four-colour", on), keys: (on) => { this.keys = on; } };
    for (const box of this.root.querySelectorAll("[data-setting]")) {
      const key = `replay-${box.dataset.setting}`;
      const saved = recalled(key);
      if (saved !== null) box.checked = saved === "yes";
      set[box.dataset.setting](box.checked);
      box.addEventListener("change", () => { set[box.dataset.setting](box.checked); remember(key, box.checked ? "yes" : "no"); });
    }
  }

  async #copy() {
    const link = this.replay.link();
    history.replaceState(history.state, "", this.replay.address());
    const said = this.$(".r-said");
    said.classList.remove("visually-hidden");
    try {
      await navigator.clipboard.writeText(link);
      said.textContent = _("Link to step %(number)s copied.", { number: this.replay.at + 1 });
    } catch {
      said.textContent = _("The browser does not allow copying; copy the address of the page instead.");
    }
    clearTimeout(this.saying);
    this.saying = setTimeout(() => said.classList.add("visually-hidden"), 4000);
  }
}

/** Whether the control with the focus uses the key itself. */
function usesKey(target, key) {
  const control = "input:not([type=range]), textarea, select, [contenteditable]";
  return target.closest(key === " " ? `${control}, button, a, summary` : control) !== null;
}

function recalled(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

function remember(key, value) {
  try { localStorage.setItem(key, value); } catch { /* private mode: the choice lasts for this page */ }
}
