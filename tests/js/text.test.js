/* Texts that the scripts of the pages share. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ago, botName, countdown, fileSize, matches, nameParts, pairing, searchWords, yourTime } from "../../web/static/text.js";

test("ago uses the largest unit that fits", () => {
  assert.deepEqual([0, -1, -59, -60, -3600, -86400, 7200].map((seconds) => ago(seconds)),
    ["now", "1 second ago", "59 seconds ago", "1 minute ago", "1 hour ago", "yesterday", "in 2 hours"]);
});

test("fileSize changes its unit at powers of 1,024", () => {
  assert.deepEqual([0, 1023, 1024, 1536, 2 ** 20, 2.5 * 2 ** 20].map(fileSize), ["0 bytes", "1023 bytes", "1.0 KiB", "1.5 KiB", "1.0 MiB", "2.5 MiB"]);
});

test("botName drops the extension and characters that are not allowed", () => {
  assert.deepEqual(["my bot.py", "team.ZIP", "v1.2-final.zip", `${"x".repeat(40)}.py`].map(botName), ["my-bot", "team", "v1.2-final", "x".repeat(32)]);
});

test("a long name breaks after its underscores and full stops", () => {
  assert.deepEqual(nameParts("the_long.suit__first_"), ["the_", "long.", "suit__", "first_"]);
  assert.deepEqual(nameParts("a_short_name"), ["a_short_name"]);
});

test("a search matches texts that contain all its words in any case", () => {
  assert.equal(matches("Greedy v2 by Ada", searchWords("  ada  GREED ")), true);
  assert.equal(matches("Greedy v2 by Ada", searchWords("greedy bob")), false);
  assert.equal(matches("anything", searchWords(" ")), true);
});

test("pairing counts tables and adds the estimate if there is one", () => {
  assert.equal(pairing("Ann", "Ben", { share: "60", tables: "1" }), "Ann took 60 % from Ben over 1 table. ");
  assert.equal(pairing("Ann", "Ben", { share: "60", tables: "20", interval: "51 % to 69 %", likelihood: "98 %" }),
    "Ann took 60 % from Ben over 20 tables (95 % interval 51 % to 69 %; likelihood of being better 98 %). ");
});

test("a countdown gets finer as the time comes nearer", () => {
  assert.deepEqual([1135 * 86400, 3 * 86400 + 4 * 3600 + 59, 7500, 3599, 9, 0, -5].map(countdown),
    ["in 1,135 days", "in 3 d 4 h", "in 2 h 5 min", "in 59:59", "in 0:09", "starting", "starting"]);
});

test("a time beside another zone says what the visitor's clock shows", () => {
  const shown = (wall, offset) => yourTime(new Date("2030-01-31T17:00:00Z"), wall, offset);
  assert.equal(shown("2030-01-31T18:00", -60), "");
  assert.equal(shown("2030-01-31T18:00", 300), "12:00");
  assert.equal(shown("2030-01-31T18:00", -540), "Fri 1 Feb, 02:00");
});
