/* Names and order of a deck's cards. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Deck } from "../../web/static/replay-deck.js";

const deck = new Deck("french", { url: "/deck.svg", cards: [["AS", "ace of spades", "A", "S"], ["KS", "king of spades", "K", "S"]], suits: { S: "spades" } });

test("a deck names its cards and suits", () => {
  assert.equal(deck.name("KS"), "king of spades");
  assert.equal(deck.suitName("S"), "spades");
  assert.equal(deck.href("KS"), "/deck.svg#KS");
});

test("an unknown token is its own name and comes last in a hand", () => {
  assert.equal(deck.name("?"), "?");
  assert.equal(deck.suitName("?"), "?");
  assert.deepEqual(["AS", "KS", "?"].map((token) => deck.order(token)), [0, 1, 2]);
});
