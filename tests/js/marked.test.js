/* The linter finds text that is not marked for translation. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Linter } from "eslint";
import config from "../../eslint.config.js";

const { rules } = config.find((part) => part.ignores && part.rules);
const found = (code) => new Linter().verify(code, { rules }).map(({ column, endColumn }) => code.slice(column - 1, endColumn - 1));

test("texts that are not given to gettext are found", () => {
  assert.deepEqual(found('say("Two words", "Copied", `${name} to move`);'), ['"Two words"', '"Copied"', "} to move`"]);
});

test("marked texts, classes, selectors and words of code are left alone", () => {
  assert.deepEqual(found('say(_("Two words"), ngettext("One word", "%(num)s words", 2), { class: "button quiet" }, root.closest("a b"), "replay:go");'), []);
});
