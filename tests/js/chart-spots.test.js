/* Places of a chart's values. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest, step } from "../../web/static/chart-spots.js";

const PLACES = [0, 10, 50].map((x) => ({ x }));

test("nearest finds the place beside the pointer, also beyond both ends", () => {
  assert.deepEqual([-5, 0, 4, 5, 6, 29, 31, 99].map((x) => nearest(PLACES, x)), [0, 0, 0, 0, 1, 1, 2, 2]);
});

test("keys step through the places and stay inside", () => {
  assert.deepEqual(["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"].map((key) => step(key, 1, 3)), [2, 2, 0, 0]);
  assert.deepEqual([step("ArrowLeft", 0, 3), step("ArrowRight", 2, 3), step("Home", 2, 3), step("End", 0, 3)], [0, 2, 0, 2]);
  assert.deepEqual([step("PageUp", 5, 100), step("PageDown", 5, 100)], [15, 0]);
  assert.equal(step("a", 1, 3), undefined);
});
