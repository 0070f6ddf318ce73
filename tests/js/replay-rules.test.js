/* The part of the rules for a step. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { partOf } from "../../web/static/replay-rules.js";

test("the part of a step is that of its first kind of event with one, or of the last step before it", () => {
  const steps = [{ kinds: ["deal"] }, { kinds: ["note", "play"] }, { kinds: ["other"] }];

  assert.deepEqual([0, 1, 2].map((at) => partOf(steps, at, { deal: "The deal", play: "Play" })), ["The deal", "Play", "Play"]);
  assert.equal(partOf(steps, 2, {}), null);
});
