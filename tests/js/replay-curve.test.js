/* Points of the curve of the scores, and the part of the rules for a step. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { scorePoints } from "../../web/static/replay-curve.js";
import { dealNames, deals } from "../../web/static/replay-fold.js";
import { partOf } from "../../web/static/replay-rules.js";
import { replays } from "./golden.js";

const step = (kind, facts = {}) => ({ move: null, events: [{ kind, facts }] });

suite("scorePoints", () => {
  test("have the scores at the end of each deal", () => {
    const steps = [step("deal", { score: [0, 0] }), step("score", { score: [3, 1] }), step("deal"), step("score", { score: [4, 6] })];

    assert.deepEqual(scorePoints(steps, [0, 2], ["Deal 1", "Deal 2"], "score"), [
      { step: 0, name: "Deal 1", scores: [3, 1] }, { step: 2, name: "Deal 2", scores: [4, 6] },
    ]);
  });

  test("end with the result in every golden record", () => {
    for (const [variant, { steps, facts, scores }] of Object.entries(replays)) {
      const starts = deals(steps);
      const { key } = facts.findLast((fact) => fact.per_seat && fact.kind === "number");

      assert.deepEqual(scorePoints(steps, starts, dealNames(steps, starts, facts[0]), key).at(-1).scores, scores, variant);
    }
  });
});

suite("partOf", () => {
  test("is that of the last event with a part", () => {
    const steps = [step("deal"), step("play"), step("other")];

    assert.deepEqual([0, 1, 2].map((at) => partOf(steps, at, { deal: "The deal", play: "Play" })), ["The deal", "Play", "Play"]);
    assert.equal(partOf(steps, 2, {}), null);
  });
});
