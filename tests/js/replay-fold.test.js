/* Folding events into states, on small steps and on every golden record. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { dealNames, dealOf, deals, factsBefore, holdings, knows, sorted, stateAt, stepOf, tricks, turnAfter } from "../../web/static/replay-fold.js";
import { replays } from "./golden.js";

const event = (changes) => ({ kind: "play", seat: null, cards: [], source: null, target: null, seen_by: null, facts: {}, ...changes });
const step = (move, ...events) => ({ move, events: events.map(event) });
const deal = (facts, ...events) => step(null, { kind: "deal", facts }, ...events);

/** Two deals: seat 0 is dealt two cards face down, plays one, and wins it. */
const STEPS = [
  deal({ hand: 1 }, { cards: ["7H", "9H"], target: "hand:0", seen_by: [0] }),
  step(0, { seat: 0, cards: ["9H"], source: "hand:0", target: "table:0" }),
  step(null, { kind: "trick", cards: ["9H"], source: "table", target: "won:0", facts: { score: [1] } }),
  deal({ hand: 2 }, { cards: ["2C"], target: "hand:0", seen_by: [0] }),
];

function fold(steps, at) {
  const starts = deals(steps);
  return stateAt(steps, starts, factsBefore(steps, starts), at);
}

const tokens = (state, place) => state.places.get(place)?.map((card) => card.token);

suite("deals", () => {
  test("begin at each deal event", () => assert.deepEqual(deals(STEPS), [0, 3]));

  test("include the steps before the first deal event", () => assert.deepEqual(deals([step(0), ...STEPS]), [0, 1, 4]));

  test("are found by step", () => assert.deepEqual([0, 1, 2, 3, 4, 9].map((at) => dealOf([0, 3, 5], at)), [0, 0, 0, 1, 1, 2]));

  test("are named by the game's first fact", () => {
    const steps = [...STEPS, deal({})];

    assert.deepEqual(dealNames(steps, deals(steps), { key: "hand", label: "Hand" }), ["Hand 1", "Hand 2", "Extra deal"]);
  });

  test("start with the facts of the deals before them", () => {
    assert.deepEqual(factsBefore(STEPS, [0, 3]), [{}, { hand: 1, score: [1] }]);
  });
});

suite("stateAt", () => {
  test("puts dealt cards in the hand, known to their seat only", () => {
    const state = fold(STEPS, 0);

    assert.deepEqual(tokens(state, "hand:0"), ["7H", "9H"]);
    assert.deepEqual(state.places.get("hand:0")[0].seen, new Set([0]));
  });

  test("moves a played card face up and keeps its id", () => {
    const [before, after] = [fold(STEPS, 0), fold(STEPS, 1)];
    const [card] = after.places.get("table:0");

    assert.deepEqual(tokens(after, "hand:0"), ["7H"]);
    assert.equal(card.id, before.places.get("hand:0")[1].id);
    assert.equal(card.seen, null);
    assert.equal(card.from, "hand:0");
  });

  test("sweeps won cards from the table and remembers who won them", () => {
    const state = fold(STEPS, 2);

    assert.deepEqual(tokens(state, "table:0"), []);
    assert.deepEqual(state.swept.map((card) => card.from), ["table:0"]);
    assert.deepEqual(state.last, { cards: state.swept, seat: 0 });
    assert.deepEqual(state.facts, { hand: 1, score: [1] });
  });

  test("sweeps discards without a winner, except cards discarded from a hand", () => {
    const discard = (source) => fold([STEPS[0], STEPS[1], step(1, { cards: ["7H", "9H"], source, target: "discard" })], 2);

    assert.deepEqual(discard("table").swept.map((card) => card.from), ["table:0"]);
    assert.deepEqual(discard("hand").swept, []);
    assert.equal(discard("table").last, null);
  });

  test("clears the table and keeps the facts at a new deal", () => {
    const state = fold(STEPS, 3);

    assert.deepEqual([...state.places.keys()], ["hand:0"]);
    assert.deepEqual(state.facts, { hand: 2, score: [1] });
    assert.equal(state.last, null);
  });

  test("hides which of several open cards were set aside in secret", () => {
    const open = deal({ hand: 1 }, { cards: ["2C", "3C"], target: "hand:0" });
    const state = fold([open, step(0, { kind: "packet", seat: 0, cards: ["2C"], source: "hand:0", target: "packet:0", seen_by: [0] })], 1);

    for (const place of ["packet:0", "hand:0"]) assert.deepEqual(state.places.get(place).map((card) => card.seen), [new Set([0])]);
  });

  test("does not change the steps or the facts before a deal", () => {
    const copy = structuredClone(STEPS);
    fold(STEPS, 2);

    assert.deepEqual(STEPS, copy);
  });

  test("adds the seats that see a card move to the ones that know it", () => {
    const steps = [STEPS[0], step(0, { cards: ["7H"], source: "hand:0", target: "hand:1", seen_by: [1] })];

    assert.deepEqual(fold(steps, 1).places.get("hand:1")[0].seen, new Set([0, 1]));
  });
});

suite("holdings", () => {
  test("count the most cards in a hand, set aside, and piles in the middle", () => {
    const steps = [
      deal({}, { cards: ["2C", "3C", "4C"], source: "stock", target: "hand:0" }, { cards: ["5C"], source: "stock", target: "centre" }),
      step(0, { cards: ["2C", "3C"], source: "hand:0", target: "bid:0" }),
    ];

    assert.deepEqual(holdings(steps, [], 4), { cards: 3, aside: 2, piles: false, middle: 1 });
  });

  test("know piles that belong to seats", () => {
    const steps = [deal({}, { cards: ["2C"], source: "stock", target: "pile:C" })];
    const facts = [{ key: "suit", kind: "suit", per_seat: true }];

    assert.deepEqual(holdings(steps, facts, 4), { cards: 1, aside: 0, piles: true, middle: 0 });
    assert.equal(holdings(steps, facts, 1).middle, 1);
  });
});

suite("lookups", () => {
  test("tricks are the steps that clear the table", () => {
    assert.deepEqual(tricks(STEPS), [2]);
    for (const { steps } of Object.values(replays)) assert.ok(tricks(steps).length > 0);
  });


  test("stepOf finds the step that shows a move, or the next one", () => {
    assert.deepEqual([0, 1, 2, 3].map((move) => stepOf([step(null), step(0), step(2)], move)), [1, 2, 2, -1]);
  });

  test("turnAfter is the seat of the next move", () => {
    assert.deepEqual([0, 1, 3].map((at) => turnAfter(STEPS, at)), [0, null, null]);
  });

  test("knows is true for public cards, for seats that saw the card, and without a viewer", () => {
    const card = { seen: new Set([1]) };

    assert.deepEqual([null, 0, 1].map((viewer) => knows(viewer, card)), [true, false, true]);
    assert.equal(knows(0, { seen: null }), true);
  });

  test("sorted puts face-down cards last and leaves the hand unchanged", () => {
    const hand = [["b", null], ["x", new Set([0])], ["a", null]].map(([token, seen]) => ({ token, seen }));

    assert.deepEqual(sorted(hand, 1, (token) => token.codePointAt(0)).map(({ token }) => token), ["a", "b", "x"]);
    assert.equal(hand[0].token, "b");
  });
});

suite("golden records", () => {
  for (const [variant, { steps, scores, seats }] of Object.entries(replays)) {
    test(`${variant}: the last state has the scores of the record`, () => {
      assert.deepEqual(fold(steps, steps.length - 1).facts.score, scores);
    });

    test(`${variant}: no card lies in two places, and all seats have an index`, () => {
      for (const [at] of deals(steps).entries()) {
        const places = fold(steps, (deals(steps)[at + 1] ?? steps.length) - 1).places;
        const ids = [...places.values()].flat().map((card) => card.id);

        assert.equal(new Set(ids).size, ids.length);
        for (const place of places.keys()) assert.ok(!/^(hand|table|won|bid):/.test(place) || Number(place.split(":")[1]) < seats.length, place);
      }
    });
  }
});
