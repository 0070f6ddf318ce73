/* Text of steps, hands and ranks. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { capital, holding, listed, ordinal, seatNames, stepText } from "../../web/static/replay-text.js";

const NAMES = ["Ann", "Ben", "Cid"];
const deck = { name: (token) => ({ "5H": "five of hearts", "7H": "seven of hearts", "TH": "ten of hearts" })[token] ?? token };

test("a step is told with the names of seats and cards", () => {
  assert.equal(stepText({ says: "{0} plays [5H], {1} [7H]." }, NAMES, deck), "Ann plays five of hearts, Ben seven of hearts.");
});

suite("names, hands and ranks", () => {
  test("a name that occurs twice gets its seat number", () => {
    assert.deepEqual(seatNames([{ name: "a" }, { name: "b" }, { name: "a" }]), ["a (0)", "b", "a (2)"]);
  });

  test("listed names known cards and counts the others", () => {
    const cards = [{ token: "5H", seen: null }, { token: "7H", seen: [1] }, { token: "TH", seen: [1] }];

    assert.equal(listed(cards, 0, deck), "five of hearts, 2 face down");
    assert.equal(listed(cards, 1, deck), "five of hearts, seven of hearts, ten of hearts");
    assert.equal(listed([], 1, deck), "");
  });

  test("holding says when a hand is empty", () => {
    assert.equal(holding("Ann", [{ token: "5H", seen: null }], null, deck), "Ann holds five of hearts");
    assert.equal(holding("Ann", [], null, deck), "Ann holds no cards");
  });

  test("ordinal follows English", () => {
    assert.deepEqual([1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 23, 111].map(ordinal),
      ["1st", "2nd", "3rd", "4th", "10th", "11th", "12th", "13th", "21st", "22nd", "23rd", "111th"]);
  });

  test("capital changes the first letter only", () => assert.equal(capital("tRICK"), "TRICK"));
});
