/* Draw a state of the replay: seats around the table, facts, scores. */
import { knows, sorted } from "./replay-state.js";
import { FAULTS, capital, holding, listed, ordinal } from "./replay-text.js";
import { breakable, h } from "./replay-deck.js";
import { areas, layout } from "./replay-layout.js";
import { _, woven } from "./words.js";

const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";
const SPOTS = { discard: _("discard"), north: _("north"), east: _("east"), west: _("west"), centre: _("centre") };
const OUTCOMES = { true: "best", false: "taken" }; // classes of places that a step clears
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Table {
  /** @param felt the table's element; `names` by seat; `facts` that the game declares; `deck` of type Deck; `room` that is needed (`arena.match.frames`);
      `turns`, whether names are buttons that turn the table. */
  constructor(felt, names, facts, deck, room, turns = true) {
    Object.assign(this, { felt, names, facts, deck, room, turns, pictures: new Map(), south: 0 });
    this.score = facts.findLast((fact) => fact.per_seat && fact.kind === "number")?.key;
    this.areas = Object.fromEntries(["left", "top", "right", "south"].map((area) => [area, h("div", { class: `r-area r-${area}` })]));
    felt.dataset.seats = names.length;
    this.fly = h("div", { class: "r-fly", "aria-hidden": "true" });
    this.trick = felt.querySelector(".r-trick");
    this.piles = felt.querySelector(".r-piles");
    felt.prepend(this.areas.left, this.areas.top, this.areas.right);
    felt.append(this.areas.south, this.fly);
    this.seats = names.map((name, seat) => this.#seat(name, seat));
    new ResizeObserver(() => this.fit()).observe(felt);
    this.fit();
  }

  #seat(name, seat) {
    const parts = {
      name: this.#plate(name, seat),
      score: h("span", { class: "r-score" }),
      tags: h("span", { class: "r-tags" }),
      hand: h("div", { class: "r-hand", role: "img" }),
      bid: h("div", { class: "r-bid", role: "img" }),
      piles: h("div", { class: "r-own" }),
      slot: h("div", { class: "r-slot" }),
    };
    parts.plate = h("div", { class: "r-plate" }, parts.name, parts.score, parts.tags);
    parts.held = h("div", { class: "r-held" }, parts.hand, parts.piles, parts.bid);
    parts.box = h("section", { class: "r-seat", "aria-label": name }, parts.plate, parts.held);
    return parts;
  }

  #plate(name, seat) {
    const words = h("span", {}, name);
    if (!this.turns) return h("span", { class: "r-name" }, words);
    return h("button", { class: "r-name", type: "button", "data-south": seat, title: _("Seat at the bottom") }, words);
  }

  /** Size everything for the felt as it is now. */
  fit() {
    const [width, height] = [this.felt.clientWidth, this.felt.clientHeight];
    if (!width || !height) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const { middle, ...most } = this.room;
    this.sizes = layout({ width, height, seats: this.seats.length, holding: most, middle, rem });
    const { tall, small, gap, plate, rows, columns, hands, trick, pile, radii, beside, under } = this.sizes;
    Object.assign(this.felt.dataset, { shape: tall ? "tall" : "wide", small, beside, under });
    const areasOf = { left: hands.left, right: hands.left, top: hands.top, south: hands.south };
    for (const [area, hand] of Object.entries(areasOf)) if (hand) sized(this.areas[area], { w: hand.card, high: hand.high, rail: hand.wide });
    sized(this.felt, { gap, plate, t: trick, p: pile, rx: radii[0], ry: radii[1] });
    this.felt.style.setProperty("--template", template(rows, columns, tall && this.seats.length > 1));
    this.per = Object.fromEntries(Object.entries(areasOf).map(([area, hand]) => [area, Math.ceil(most.cards / (hand?.rows ?? 1))]));
    this.turn(this.south);
  }

  /** Turn the table so that seat `south` is at the bottom. */
  turn(south) {
    this.south = south;
    const count = this.seats.length;
    const around = ["south", ...areas(count, this.sizes?.tall ?? false)];
    const focused = document.activeElement;
    around.forEach((area, steps) => {
      const { box, slot, held, hand } = this.seats[(south + steps) % count];
      const angle = (2 * Math.PI * steps) / count;
      this.areas[area].append(box);
      (this.sizes?.beside ? held : this.trick).append(slot);
      slot.style.setProperty("--x", (-Math.sin(angle)).toFixed(3));
      slot.style.setProperty("--y", Math.cos(angle).toFixed(3));
      hand.style.setProperty("--per", this.per?.[area] ?? 1);
    });
    focused?.focus?.({ preventScroll: true });
  }

  /** Draw a state. `scene` is {at, viewer, south, turn, faults: Map(seat -> kind), winners}. */
  draw(state, scene, animate) {
    const old = animate && !calm.matches ? this.#places() : null;
    const shown = new Map();
    this.seats.forEach((parts, seat) => this.#drawSeat(parts, seat, state, scene, shown));
    this.#drawPiles(state, scene, shown);
    this.#labelTrick(state, scene);
    if (old) this.#move(old, shown, state);
    this.pictures = shown;
  }

  #drawSeat(parts, seat, state, scene, shown) {
    const cards = (kind) => state.places.get(`${kind}:${seat}`) ?? [];
    const { viewer } = scene;
    const hand = sorted(cards("hand"), viewer, (token) => this.deck.order(token));
    parts.hand.style.setProperty("--n", Math.max(hand.length, 2));
    this.#fill(parts.hand, hand, viewer, shown);
    const aside = [...cards("packet"), ...cards("bid")];
    this.#fill(parts.bid, aside, viewer, shown);
    this.#drawSlot(parts.slot, seat, state, scene, shown);
    parts.hand.setAttribute("aria-label", holding(this.names[seat], hand, viewer, this.deck));
    parts.bid.setAttribute("aria-label", aside.length ? `${cards("bid").length ? _("Bid") : _("Packet")}: ${listed(aside, viewer, this.deck)}` : "");
    parts.bid.hidden = !aside.length;
    parts.bid.classList.toggle("many", aside.length > 2);
    parts.score.replaceChildren(h("span", { class: "visually-hidden" }, `${_("score")} `), String(state.facts[this.score]?.[seat] ?? ""));
    parts.score.hidden = state.facts[this.score]?.[seat] == null;
    parts.box.classList.toggle("turn", scene.turn === seat);
    parts.box.classList.toggle("winner", scene.winners.includes(seat));
    if (this.turns) parts.name.setAttribute("aria-pressed", String(scene.south === seat));
    parts.tags.replaceChildren(...this.#tags(seat, state, scene));
  }

  /** Draw the cards in front of a seat, including the ones that this step clears from the table. */
  #drawSlot(slot, seat, state, { viewer }, shown) {
    const place = `table:${seat}`;
    this.#fill(slot, state.places.get(place) ?? [], viewer, shown);
    slot.classList.toggle("best", state.cleared[place] === true);
    slot.classList.toggle("taken", state.cleared[place] === false);
  }

  #tags(seat, state, scene) {
    const tags = this.facts.flatMap((fact) => {
      const value = state.facts[fact.key];
      if (fact.kind === "seat" && value === seat) return [h("span", { class: "r-tag" }, fact.label)];
      return fact.per_seat && fact.kind === "text" && value?.[seat] ? [h("span", { class: "r-tag strong" }, value[seat])] : [];
    });
    if (scene.turn === seat) tags.unshift(h("span", { class: "visually-hidden" }, _("to move")));
    if (scene.faults.has(seat)) tags.push(h("span", { class: "r-tag fault", title: _("The arena plays this seat") }, FAULTS[scene.faults.get(seat)]));
    const won = state.places.get(`won:${seat}`)?.length;
    if (won) tags.push(h("span", { class: "r-won" }, this.deck.card("back"), String(won), h("span", { class: "visually-hidden" }, ` ${_("cards won")}`)));
    return tags;
  }

  #fill(box, cards, viewer, shown) {
    box.replaceChildren(...cards.map((card) => this.#picture(card, viewer, shown)));
  }

  #picture(card, viewer, shown, down = false) {
    const face = card.seen === null || (knows(viewer, card) && !down) ? card.token : "back";
    const picture = this.pictures.get(card.id) ?? this.deck.card(face);
    if (picture.dataset.face !== face) picture.firstChild.setAttribute("href", this.deck.href(face));
    picture.dataset.face = face;
    shown.set(card.id, picture);
    return picture;
  }

  /** Draw the piles: a pile whose suit belongs to a seat goes in front of that seat, the others in the middle. */
  #drawPiles(state, scene, shown) {
    const middle = [];
    const own = this.seats.map(() => []);
    for (const place of this.#spots(state)) {
      const owner = this.#owner(place, state);
      (own[owner] ?? middle).push(this.#pile(place, owner, state, scene, shown));
    }
    this.seats.forEach(({ piles }, seat) => piles.replaceChildren(...own[seat]));
    this.piles.replaceChildren(...middle);
  }

  /** Named places in order of their first cards; places with a fact follow the order of the facts. */
  #spots(state) {
    const rank = (place) => this.facts.findIndex((fact) => fact.key === place);
    const spots = [...state.places.keys()].filter((place) => !/^(hand|table|won|bid|packet):/.test(place));
    const lasts = (place) => place.startsWith("pile:") || rank(place) >= 0; // drawn even if empty
    const shows = (place) => place !== "discard" || !this.sizes?.beside; // a small felt has no room for what is out of play
    return spots.filter((place) => shows(place) && (lasts(place) || state.places.get(place).length > 0)).sort((a, b) => rank(a) - rank(b));
  }

  /** Seat that owns a pile's suit, or -1. */
  #owner(place, state) {
    const fact = this.facts.find(({ kind, per_seat: perSeat }) => perSeat && kind === "suit");
    return place.startsWith("pile:") && fact ? state.facts[fact.key].indexOf(place.slice(5)) : -1;
  }

  /** One place: its top card (or the one that this step clears), or a gap if it is empty. Piles lie face down. */
  #pile(place, owner, state, { viewer }, shown) {
    const [kind, suit] = place.split(":");
    const cards = state.places.get(place);
    const top = kind === "pile" ? cards[0] : cards.at(-1);
    const count = kind === "pile" || cards.length > 1 ? String(cards.length) : null;
    const title = capital(suit ? this.deck.suitName(suit) : SPOTS[kind] ?? kind);
    const kinds = `r-pile r-is-${kind} ${OUTCOMES[state.cleared[place]] ?? ""}`;
    return h("figure", { class: kinds, role: "img", "aria-label": `${title}: ${listed(cards, viewer, this.deck) || _("no card")}` },
      top ? this.#picture(top, viewer, shown, kind === "pile") : h("span", { class: "r-gap" }),
      h("figcaption", {}, owner < 0 ? this.#caption(title, suit) : null, count));
  }

  /** What a pile in the middle is: the symbol of its suit, or its name. */
  #caption(title, suit) {
    const name = h("span", { class: suit ? "visually-hidden" : null }, `${title} `);
    return h("span", {}, name, suit ? this.deck.suit(suit) : null, suit ? " " : null);
  }

  #labelTrick(state, { viewer }) {
    const words = this.names.flatMap((name, seat) => {
      const cards = state.places.get(`table:${seat}`) ?? [];
      return cards.length ? [`${name} ${listed(cards, viewer, this.deck)}`] : [];
    });
    this.trick.setAttribute("aria-label", words.length ? _("On the table: %(cards)s", { cards: words.join("; ") }) : _("Nothing is on the table"));
  }

  #places() {
    const onTable = (picture) => picture.parentElement?.classList.contains("r-slot");
    return new Map([...this.pictures].map(([id, picture]) => [id, { box: picture.getBoundingClientRect(), onTable: onTable(picture) }]));
  }

  #move(old, shown, state) {
    for (const [id, picture] of shown) {
      const from = old.get(id)?.box;
      const to = from && picture.getBoundingClientRect();
      if (from && (Math.abs(from.x - to.x) > 2 || Math.abs(from.y - to.y) > 2)) {
        const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
        picture.animate([{ transform: start, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }], { duration: 280, easing: EASE });
      }
    }
    const gone = [...old].filter(([id, { onTable }]) => onTable && !shown.has(id));
    if (gone.length && state.last) this.#collect(gone.map(([id, { box }]) => [this.pictures.get(id), box]), state.last.seat);
  }

  /** Move the cards of a won trick to the seat that won it. */
  #collect(cards, seat) {
    const felt = this.felt.getBoundingClientRect();
    const goal = this.seats[seat].plate.getBoundingClientRect();
    for (const [picture, box] of cards) {
      const ghost = picture.cloneNode(true);
      const at = (x, y, scale) => `translate(${x - felt.x}px, ${y - felt.y}px) scale(${scale})`;
      ghost.style.setProperty("inline-size", `${box.width}px`);
      this.fly.append(ghost);
      ghost.animate(
        [{ transform: at(box.x, box.y, 1), opacity: 1 }, { opacity: 1, offset: 0.6 }, { transform: at(goal.x + goal.width / 2, goal.y, 0.35), opacity: 0 }],
        { duration: 420, easing: EASE },
      ).finished.finally(() => ghost.remove()).catch(() => {});
    }
  }
}

/** Set lengths as custom properties. */
function sized(element, lengths) {
  for (const [name, pixels] of Object.entries(lengths)) element.style.setProperty(`--${name}`, `${pixels.toFixed(2)}px`);
}

/** The grid of a felt from the heights of its rows and the widths of its columns; a row of no height is left out. */
function template(rows, columns, tall) {
  const names = tall ? ['"top top"', '"left right"', '"centre centre"', '"south south"'] : ['"top top top"', '"left centre right"', '"south south south"'];
  const lines = rows.flatMap((row, index) => (row > 0 ? [`${names[index]} ${row.toFixed(2)}px`] : []));
  return `${lines.join(" ")} / ${columns.map((column) => `${column.toFixed(2)}px`).join(" ")}`;
}

/** Create the node that shows a fact's value. */
export function factValue(deck, kind, value) {
  if (value === null || value === undefined || value === "") return h("span", { class: "r-none" }, "–");
  if (kind !== "suit") return h("span", {}, String(value));
  return h("span", { class: "r-suit" }, deck.suit(value), h("span", { class: "visually-hidden" }, deck.suitName(value)));
}

/** Draw the facts of the whole table that this match has. */
export function drawFacts(list, facts, values, deck) {
  const shown = facts.filter((fact) => fact.key in values && !fact.per_seat && fact.kind !== "seat");
  list.replaceChildren(...shown.map((fact) => h("div", { class: "r-fact" }, h("dt", {}, fact.label), h("dd", {}, factValue(deck, fact.kind, values[fact.key])))));
}

/** Draw the facts that are counted per seat as a table (texts stand beside the names), with `winners` highlighted. */
export function drawScores(table, names, facts, values, winners, deck) {
  const columns = facts.filter((fact) => fact.per_seat && fact.kind !== "text");
  const numeric = (fact) => (fact.kind === "number" ? "num" : null);
  const head = h("tr", {}, h("th", { scope: "col" }, _("Seat")), ...columns.map((fact) => h("th", { scope: "col", class: numeric(fact) }, fact.label)));
  const rows = names.map((name, seat) => h("tr", { class: winners.includes(seat) ? "mine" : null },
    h("th", { scope: "row" }, name),
    ...columns.map((fact) => h("td", { class: numeric(fact) }, factValue(deck, fact.kind, values[fact.key]?.[seat])))));
  table.replaceChildren(h("thead", {}, head), h("tbody", {}, ...rows));
}

/** Draw the result in the middle of the table; empty before the end. */
export function drawResult(box, names, scores, ranks) {
  box.closest(".r-felt").classList.toggle("over", Boolean(ranks));
  const order = ranks ? names.map((name, seat) => seat).sort((a, b) => ranks[a] - ranks[b]) : [];
  box.replaceChildren(...order.map((seat) => h("p", { class: ranks[seat] === 1 ? "first" : null },
    h("span", {}, names.length > 1 ? ordinal(ranks[seat]) : null), h("b", {}, names[seat]), h("span", {}, String(scores[seat])))));
}

/** Draw the trick that was won last. */
export function drawLast(box, last, names, deck) {
  box.hidden = !last;
  if (!last) return;
  const [pictures, words] = [box.querySelector(".r-last-cards"), box.querySelector("p")];
  pictures.replaceChildren(...last.cards.map((card) => deck.card(card.token)));
  pictures.setAttribute("aria-label", last.cards.map((card) => deck.name(card.token)).join(", "));
  words.replaceChildren(...woven(_("won by %(name)s"), { name: h("b", {}, ...breakable(names[last.seat])) }));
}

/** Let a table fill the screen below the header of the page, which may have banners. */
export function fillScreen(root) {
  const measure = () => root.style.setProperty("--top", `${root.parentElement.getBoundingClientRect().top + scrollY}px`);
  new ResizeObserver(measure).observe(document.querySelector(".site-head") ?? document.body);
  measure();
}
