/* Text in the language of the page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { _, ngettext, number, pgettext, woven } from "../../web/static/words.js";

test("a text takes its values", () => {
  assert.equal(_("%(name)s has %(share)s %%", { name: "Ann", share: 60 }), "Ann has 60 %");
  assert.equal(_("95 % interval"), "95 % interval");
  assert.equal(pgettext("replay", "Play"), "Play");
});

test("a count chooses the form", () => {
  assert.deepEqual([1, 1204].map((count) => ngettext("%(num)s card", "%(num)s cards", count)), ["1 card", "1,204 cards"]);
});

test("elements are woven into a text in the order of its values", () => {
  assert.deepEqual(woven(_("%(one)s and %(other)s won"), { one: ["a", "b"], other: "c" }), ["a", "b", " and ", "c", " won"]);
});

test("a number has as many places as asked for", () => {
  assert.deepEqual([number(3.14159, 2), number(1204), number(2, 1)], ["3.14", "1204", "2.0"]);
});
