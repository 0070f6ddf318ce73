/* Rows that move and numbers that change in live standings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { changes, moves } from "../../web/static/moves.js";

const table = (...rows) => new Map(rows.map(([key, top, ...cells]) => [key, { top, cells }]));

test("rows move from where they stood, and new rows do not", () => {
  const before = table(["a", 0], ["b", 40], ["c", 80]);
  const after = table(["b", 0], ["a", 40], ["c", 80], ["d", 120]);
  assert.deepEqual([...moves(before, after)], [["b", 40], ["a", -40]]);
});

test("cells whose text differs have changed, and those of new rows have not", () => {
  const before = table(["a", 0, "1", "52.0 %", "4"], ["b", 40, "2", "48.0 %", "4"]);
  const after = table(["a", 0, "1", "54.0 %", "5"], ["b", 40, "2", "48.0 %", "4"], ["c", 80, "3"]);
  assert.deepEqual([...changes(before, after)], [["a", [1, 2]]]);
});
