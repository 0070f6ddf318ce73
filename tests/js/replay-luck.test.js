/* The same deals in other seatings. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { holders, luckAndSkill, sameStep, signed, totals, worth } from "../../web/static/replay-luck.js";

const seatings = [
  { match: 1, names: ["Ann", "Ben"], starts: [0, 10], scores: [[10, 0], [4, 6]] },
  { match: 2, names: ["Ben", "Ann"], starts: [0, 12, 30], scores: [[20, 2], [4, 0], [9, 9]] },
];

suite("luck and skill", () => {
  test("cards are worth the average of the seatings that held them", () => {
    assert.deepEqual(worth(seatings, 0), [15, 1]);
    assert.deepEqual(worth(seatings, 2), [9, 9]);
  });

  test("skill is what a bot made beyond that, in each deal of this match", () => {
    const deals = luckAndSkill(seatings);

    assert.deepEqual(deals[0], [{ points: 10, cards: 15, skill: -5 }, { points: 0, cards: 1, skill: -1 }]);
    assert.equal(deals.length, 2);
    assert.deepEqual(totals(deals), [{ points: 14, cards: 19, skill: -5 }, { points: 6, cards: 4, skill: 2 }]);
  });

  test("holders of the cards are sorted by their points", () => {
    assert.deepEqual(holders(seatings, 0, 0).map(({ name, points, here }) => [name, points, here]), [["Ben", 20, false], ["Ann", 10, true]]);
    assert.equal(holders(seatings, 2, 0).length, 1);
  });
});

suite("sameStep", () => {
  test("is as far into the same deal", () => {
    assert.equal(sameStep(seatings[0], seatings[1], 3), 3);
    assert.equal(sameStep(seatings[0], seatings[1], 15), 17);
  });

  test("stays within the deal, and within the deals that were played", () => {
    assert.equal(sameStep(seatings[1], seatings[0], 11), 9);
    assert.equal(sameStep(seatings[1], seatings[0], 40), 10);
  });
});

test("differences have a typographic sign", () => {
  assert.deepEqual([2.5, -3, 0, -0.04].map(signed), ["+2.5", "−3.0", "0.0", "0.0"]);
});
