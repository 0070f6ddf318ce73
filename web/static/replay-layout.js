/* Sizes of everything on the felt as a pure function of the felt's size, the number of seats and what they hold, so that
   nothing has to be cut off or scrolled. Lengths are pixels. A card is 1 by 1.4; `card` always means its width. */

const HIGH = 1.4; // height of a card
const STRIP = 0.87; // height of the part of a card that shows its index
const SHOWN = 0.29; // least width of an overlapped card that shows its index

/** Areas of the seats by number of players, clockwise from the seat left of South, on a felt that is wider than high. */
const WIDE = {
  1: [], 2: ["top"], 3: ["left", "right"], 4: ["left", "top", "right"], 5: ["left", "top", "top", "right"], 6: ["left", "top", "top", "top", "right"],
  7: ["left", "left", "top", "top", "right", "right"], 8: ["left", "left", "top", "top", "top", "right", "right"],
};

/** Radii of the ring of played cards and the largest card in it: in cards, and in cards of a hand. */
const RINGS = { 5: [1.69, 1.29, 1], 6: [1.75, 1.47, 0.95], 7: [2.2, 2.04, 0.85], 8: [2.2, 2.04, 0.85] };
const RING = [1.375, 0.94, 1.2];

/** Areas of the seats after South, clockwise. On a high felt they sit two abreast. */
export function areas(seats, tall) {
  if (!tall) return WIDE[seats];
  const side = Math.floor((seats - 1) / 2);
  return [...Array(side).fill("left"), ...Array((seats - 1) % 2).fill("top"), ...Array(side).fill("right")];
}

/** The largest cards, at most `most` wide, of which a hand fits into a box in at most three rows, each with its index in
    sight, and beside it what lies apart: cards set aside, and a pile. */
export function fan({ cards, aside = 0, piles = false }, width, height, most) {
  const apart = (aside ? 0.7 * (1 + (aside - 1) * (aside > 2 ? 0.35 : 0.7)) : 0) + (piles ? 1 : 0); // in cards
  const room = width - (aside ? 16 : 0) - (piles ? 8 : 0);
  let best = { card: 0, rows: 1 };
  for (let rows = 1; rows <= Math.min(3, cards); rows += 1) {
    const card = Math.min(most, room / (1 + (Math.ceil(cards / rows) - 1) * SHOWN + apart), height / (STRIP * rows));
    if (card > best.card * 1.08) best = { card, rows };
  }
  return { ...best, high: Math.min(height, best.card * (STRIP * (best.rows - 1) + HIGH)), wide: room - apart * best.card };
}

/** Lay out a felt. `holding` is {cards, aside, piles}: the most cards in a hand, set aside by a seat, and whether seats own
    piles; `middle` is the number of piles in the middle, and `rem` the size of the text. */
export function layout({ width, height, seats, holding, middle, rem }) {
  const tall = width < 1.05 * height;
  const gap = Math.min(Math.max(Math.min(width, height) * 0.012, 0.2 * rem), 0.75 * rem);
  const small = Math.min(width, height) < 26 * rem;
  const plate = (small ? 1.375 : 1.75) * rem;
  const box = { width: width - 2 * gap, height: height - 2 * gap, gap, plate, rem, seats, holding, middle };
  const shape = seats === 1 ? alone(box) : !tall ? wide(box) : seats > 4 ? boxes(box) : high(box);
  return { tall, small, gap, plate, beside: false, under: false, ...shape };
}

const count = (seats, tall, area) => areas(seats, tall).filter((one) => one === area).length;

/** One seat: the piles of the dummies in two rows, the played card below them. */
function alone({ width, height, gap, plate, rem, holding }) {
  const captions = 2 * 1.25 * rem;
  const unit = Math.min((height - plate - captions - 4 * gap) / (2 * HIGH * 0.75 + HIGH * 1.1 + HIGH * 1.3), width / 7, 7 * rem);
  const southHigh = unit * 1.3 * HIGH;
  return {
    rows: [0, height - southHigh - plate - gap, southHigh + plate], columns: [0, width - 2 * gap, 0],
    trick: unit * 1.1, pile: unit * 0.75, radii: [0, 0],
    hands: { south: fan(holding, width, southHigh, unit * 1.3) },
  };
}

/** Seats on all four sides, played cards in the middle. */
function wide({ width, height, gap, plate, rem, seats, holding }) {
  const [x, y, factor] = RINGS[seats] ?? RING;
  const [top, side] = [count(seats, false, "top"), count(seats, false, "left")];
  const shown = height > 26 * rem ? HIGH : STRIP;
  const southShown = height > 20 * rem ? HIGH : 1.05;
  const room = height - (top ? 2 : 1) * (plate + gap);
  const unit = Math.min(room / ((top ? shown : 0) + (2 * y + HIGH) * factor + southShown * 1.45), (width * 0.5) / ((2 * x + 1) * factor), 7.5 * rem);
  const [topHigh, southHigh] = [top ? shown * unit : 0, southShown * 1.45 * unit];
  const middleHigh = room - topHigh - southHigh;
  const centre = Math.max((2 * x + 1) * unit * factor, width * 0.26);
  const sideWide = (width - centre) / 2 - gap;
  const under = holding.aside && side === 1 ? 0.7 * HIGH * unit + 12 : 0;
  const trick = Math.min(unit * factor * 1.15, (0.98 * middleHigh) / (2 * y + HIGH), (0.93 * centre) / (2 * x + 1));
  return {
    rows: [top ? topHigh + plate : 0, middleHigh, southHigh + plate], columns: [sideWide, centre, sideWide], under: under > 0,
    trick, pile: trick * (seats > 4 ? 0.75 : 0.5), radii: [x * trick, y * trick],
    hands: {
      top: fan(holding, width / Math.max(top, 1) - gap, topHigh, unit),
      left: fan(under ? { ...holding, aside: 0 } : holding, sideWide, (middleHigh - gap * (side - 1)) / Math.max(side, 1) - plate - under, unit),
      south: fan(holding, width, southHigh, 1.45 * unit),
    },
  };
}

/** Two to four seats on a high felt: opponents above, then the played cards, then South. */
function high({ width, height, gap, plate, rem, seats, holding }) {
  const [x, y] = RING;
  const [top, side] = [count(seats, true, "top"), count(seats, true, "left")];
  const rows = top + side;
  const shown = height > 34 * rem ? HIGH : STRIP;
  const unit = Math.min((height - (rows + 1) * (plate + gap)) / (shown * rows + (2 * y + HIGH) * 1.05 + HIGH * 1.35), 7 * rem);
  const opposite = fan(holding, width, shown * unit, unit);
  const abreast = fan(holding, (width - gap) / 2, shown * unit, unit);
  const south = fan(holding, width, HIGH * 1.35 * unit, 1.35 * unit);
  const topHigh = top ? opposite.high + plate : 0;
  const sideHigh = side ? abreast.high + plate : 0;
  const middleHigh = height - topHigh - sideHigh - south.high - plate - (rows + 1) * gap;
  const trick = Math.min(1.5 * unit, middleHigh / (2 * y + HIGH), width / (2 * x + 1) / 1.4);
  return {
    rows: [topHigh, sideHigh, middleHigh, south.high + plate], columns: [(width - gap) / 2, (width - gap) / 2],
    trick, pile: Math.min(trick * 0.8, width / 9), radii: [x * trick, y * trick],
    hands: { top: opposite, left: abreast, south },
  };
}

/** Five to eight seats on a high felt: boxes two abreast, each with its played card beside the hand. */
function boxes({ width, height, gap, plate, rem, seats, holding, middle }) {
  const [top, side] = [count(seats, true, "top"), count(seats, true, "left")];
  const pilesHigh = middle ? 2.25 * rem + gap : 0;
  const rows = top + side + 1;
  const each = (height - pilesHigh - gap * (rows - 1)) / rows - plate;
  const cell = (width - gap) / 2;
  const trick = Math.min(each / HIGH, 0.24 * cell, 5 * rem);
  const abreast = fan(holding, cell - trick - 8, each, 7 * rem);
  const full = fan(holding, width - trick - 8, each, Math.min(1.6 * abreast.card, 7 * rem));
  return {
    beside: true, trick, pile: 1.25 * rem, radii: [0, 0], columns: [cell, cell],
    rows: [top ? each + plate : 0, side * (each + plate) + Math.max(side - 1, 0) * gap, middle ? 2.25 * rem : 0, each + plate],
    hands: { top: full, left: abreast, south: full },
  };
}
