/* What a seat knew, in words. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { actionParts, known, took } from "../../web/static/replay-known.js";

const cards = ["5H", "6H", "7H", "8H"];
const deck = { faces: new Map(cards.map((token) => [token, {}])), suits: { H: "hearts", S: "spades" } };
const rows = (view) => Object.fromEntries(known({ scores: [1, 2], ...view }, deck).map(({ label, lines }) => [label, lines]));

suite("known", () => {
  test("leaves out what is empty and what the page shows elsewhere", () => {
    assert.deepEqual(Object.keys(rows({ seat: 1, phase: "play", legal: ["5H"], trick: [], roles: { trump: null }, claims: [null, null] })), ["Scores"]);
  });

  test("names the seats of lists with an item for each", () => {
    assert.deepEqual(rows({}).Scores, [[{ name: 0 }, " ", "1", ", ", { name: 1 }, " ", "2"]]);
    assert.deepEqual(rows({ claims: [null, "poverty"] }).Claims, [[{ name: 1 }, " ", "poverty"]]);
  });

  test("takes as many cards as seats for cards", () => {
    assert.deepEqual(rows({ hand: ["5H", "6H"] }).Hand, [[{ card: "5H" }, " ", { card: "6H" }]]);
  });

  test("shows tricks and nominations as lines that begin with the seat", () => {
    const shown = rows({ tricks: [[1, "5H", "6H"], [0, "7H", "8H"]], nominations: [[0, "trump:S"]] });

    assert.deepEqual(shown.Tricks[0], [{ name: 1 }, " ", { card: "5H" }, " ", { card: "6H" }]);
    assert.deepEqual(shown.Nominations, [[{ name: 0 }, " ", "trump ", { suit: "S" }]]);
  });

  test("shows lists of lists by seat", () => {
    assert.deepEqual(rows({ bids: [[null], ["5H"]] }).Bids, [[{ name: 1 }, " ", { card: "5H" }]]);
    assert.deepEqual(rows({ taken: [[0, 1], [2, 3]] }).Taken, [[{ name: 0 }, " ", "0", " ", "1"], [{ name: 1 }, " ", "2", " ", "3"]]);
  });

  test("names single seats, suits, and answers yes or no", () => {
    const shown = rows({ leader: 1, last_bid: 7, two_of_clubs: { seat: 1, bid: false }, roles: { trump: "S", plain: null } });

    assert.deepEqual(shown.Leader, [[{ name: 1 }]]);
    assert.deepEqual(shown["Last bid"], [["7"]]);
    assert.deepEqual(shown["Two of clubs"], [["seat ", { name: 1 }, ", ", "bid ", "no"]]);
    assert.deepEqual(shown.Roles, [["trump ", { suit: "S" }]]);
  });
});

test("actions of several cards are separated", () => {
  assert.deepEqual(actionParts("5H,6H", deck), [{ card: "5H" }, " ", { card: "6H" }]);
});

test("times have a unit that suits them", () => {
  assert.deepEqual([0, 0.00002, 0.0004, 0.012, 3.24].map(took), ["0.0 ms", "20 µs", "0.4 ms", "12 ms", "3.2 s"]);
});
