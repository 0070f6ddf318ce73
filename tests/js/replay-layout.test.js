/* Everything fits on felts of phones, upright and on their side, and of large screens. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { areas, fan, layout } from "../../web/static/replay-layout.js";

const FELTS = [[304, 300], [344, 470], [374, 265], [440, 290], [560, 300], [740, 800], [620, 480], [880, 520], [1450, 830], [1800, 1180]];
const HOLDINGS = [[13, 0, false], [13, 6, false], [5, 0, true], [16, 0, false]].map(([cards, aside, piles]) => ({ cards, aside, piles }));
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

suite("areas", () => {
  test("seat everybody but South, clockwise", () => {
    for (const tall of [true, false]) for (let seats = 1; seats <= 8; seats += 1) assert.equal(areas(seats, tall).length, seats - 1);
    assert.deepEqual(areas(4, true), ["left", "top", "right"]);
    assert.deepEqual(areas(7, true), ["left", "left", "left", "right", "right", "right"]);
  });
});

suite("fan", () => {
  test("takes a second row if the cards become larger by it", () => {
    assert.equal(fan({ cards: 13 }, 400, 80, 60).rows, 1);
    assert.equal(fan({ cards: 13 }, 100, 80, 60).rows, 2);
  });

  test("shows the index of each card", () => {
    const { card, rows } = fan({ cards: 13 }, 150, 60, 60);

    assert.ok((150 - card) / (Math.ceil(13 / rows) - 1) >= 0.26 * card);
  });
});

suite("layout", () => {
  for (const [width, height] of FELTS) {
    for (let seats = 1; seats <= 8; seats += 1) {
      test(`fits ${seats} seats on ${width} by ${height}`, () => {
        for (const holding of HOLDINGS) {
          const { tall, rows, columns, gap, plate, hands, trick, radii, beside } = layout({ width, height, seats, holding, middle: 1, rem: 16 });
          const used = rows.filter((row) => row > 0);

          assert.ok(sum(used) + (used.length - 1) * gap <= height - 2 * gap + 1, `rows ${rows} of ${height}`);
          assert.ok(sum(columns) + (columns.length - 1) * gap <= width - 2 * gap + 1, `columns ${columns} of ${width}`);
          const shown = Object.entries(hands).filter(([area]) => area === "south" || areas(seats, tall).includes(area));
          assert.ok(shown.every(([, hand]) => hand.card >= (holding.aside ? 12 : 18) && hand.high > 0), JSON.stringify(hands));
          assert.ok(hands.south.high + plate <= rows.at(-1) + 1);
          assert.ok(trick >= 18, `trick ${trick}`);
          if (!beside && seats > 1) assert.ok(2 * radii[1] + 1.4 * trick <= rows.at(-2) + 1, `ring in ${rows}`);
        }
      });
    }
  }

  test("grows with the felt", () => {
    const south = FELTS.slice(-3).map(([width, height]) => layout({ width, height, seats: 4, holding: HOLDINGS[0], middle: 0, rem: 16 }).hands.south.card);

    assert.ok(south[0] < south[1] && south[1] < south[2], String(south));
  });
});
