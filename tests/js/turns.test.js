/* Pages of a list that turns them by itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesOf, turned } from "../../web/static/turns.js";

test("a list has as many pages as it needs, and at least one", () => {
  assert.deepEqual([[500, 500], [501, 500], [502, 500], [1400, 500], [0, 500], [500, 0]].map(([full, shown]) => pagesOf(full, shown)), [1, 1, 2, 3, 1, 1]);
});

test("the first page follows the last", () => {
  assert.deepEqual([turned(0, 3), turned(2, 3), turned(0, 1)], [1, 0, 0]);
});
