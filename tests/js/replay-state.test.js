/* States of the table, merged from small frames and from those of every golden record. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { dealOf, knows, sorted, stateAt, stepOf, turnAfter } from "../../web/static/replay-state.js";
import { replays } from "./golden.js";

/** Two deals: seat 0 has two cards, plays one, and wins it. */
const MATCH = {
  starts: [0, 3],
  cards: [{ id: "7H.0", token: "7H", seen: [0] }, { id: "9H.0", token: "9H", seen: [0] }, { id: "9H.0", token: "9H", seen: null }],
  steps: [
    { move: null, seat: null, places: { "hand:0": [0, 1] }, facts: { hand: 1 } },
    { move: 0, seat: 0, places: { "hand:0": [0], "table:0": [2] } },
    { move: null, seat: null, places: { "won:0": [2] }, facts: { score: [1] }, cleared: { "table:0": true }, won: { seat: 0, cards: [2] } },
    { move: null, seat: null, places: { "hand:0": [0] }, facts: { hand: 2 } },
  ],
};

const tokens = (state, place) => state.places.get(place)?.map((card) => card.token);

suite("stateAt", () => {
  test("has the places of the frames of the deal, and the cards that each holds", () => {
    const state = stateAt(MATCH, 1);

    assert.deepEqual(tokens(state, "hand:0"), ["7H"]);
    assert.equal(state.places.get("table:0")[0].seen, null);
    assert.deepEqual(state.cleared, {});
  });

  test("has what the step cleared and who won it", () => {
    const state = stateAt(MATCH, 2);

    assert.deepEqual(state.cleared, { "table:0": true });
    assert.deepEqual(state.last, { seat: 0, cards: [MATCH.cards[2]] });
    assert.deepEqual(state.facts, { hand: 1, score: [1] });
  });

  test("clears the table and keeps the facts at a new deal", () => {
    const state = stateAt(MATCH, 3);

    assert.deepEqual([...state.places.keys()], ["hand:0"]);
    assert.deepEqual(state.facts, { hand: 2, score: [1] });
    assert.equal(state.last, undefined);
  });

  for (const [variant, match] of Object.entries(replays)) {
    test(`${variant}: no card lies in two hands, and the last state has the scores of the record`, () => {
      const starts = match.deals.map(({ step }) => step);
      for (const end of [...starts.slice(1), match.steps.length]) {
        const hands = [...stateAt({ ...match, starts }, end - 1).places].filter(([place]) => place.startsWith("hand:"));
        const ids = hands.flatMap(([, cards]) => cards).map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length);
      }
      assert.deepEqual(stateAt({ ...match, starts }, match.steps.length - 1).facts.score, match.scores);
    });
  }
});

suite("lookups", () => {
  test("deals are found by step", () => assert.deepEqual([0, 1, 2, 3, 4, 9].map((at) => dealOf([0, 3, 5], at)), [0, 0, 0, 1, 1, 2]));

  test("stepOf finds the step that shows a move, or the next one", () => {
    assert.deepEqual([0, 1, 2, 3].map((move) => stepOf([{ move: null }, { move: 0 }, { move: 2 }], move)), [1, 2, 2, -1]);
  });

  test("turnAfter is the seat of the next move", () => {
    assert.deepEqual([0, 1, 3].map((at) => turnAfter(MATCH.steps, at)), [0, null, null]);
  });

  test("knows is true for public cards, for seats that saw the card, and without a viewer", () => {
    assert.deepEqual([null, 0, 1].map((viewer) => knows(viewer, { seen: [1] })), [true, false, true]);
    assert.equal(knows(0, { seen: null }), true);
  });

  test("sorted puts face-down cards last and leaves the hand unchanged", () => {
    const hand = [["b", null], ["x", [0]], ["a", null]].map(([token, seen]) => ({ token, seen }));

    assert.deepEqual(sorted(hand, 1, (token) => token.codePointAt(0)).map(({ token }) => token), ["a", "b", "x"]);
    assert.equal(hand[0].token, "b");
  });
});
