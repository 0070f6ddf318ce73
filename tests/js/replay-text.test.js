/* Text of events, hands and ranks. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { capital, holding, listed, ordinal, seatNames, stepText } from "../../web/static/replay-text.js";
import { replays } from "./golden.js";

const NAMES = ["Ann", "Ben", "Cid"];
const deck = { name: (token) => ({ "5H": "five of hearts", "7H": "seven of hearts", "TH": "ten of hearts" })[token] ?? token };
const event = (text, changes) => ({ kind: "play", seat: 0, cards: [], seen_by: null, text, ...changes });
const text = (...events) => stepText({ move: 0, events }, NAMES, deck);

suite("the log of every game", () => {
  for (const [variant, { steps, seats }] of Object.entries(replays)) {
    test(`${variant} says each thing once`, () => {
      const lines = steps.map((step) => stepText(step, seatNames(seats), deck));

      assert.deepEqual(lines.filter((line, index) => line === lines[index - 1]), []);
      for (const line of lines) {
        const sentences = line.split(/(?<=[.:!]) /);
        assert.equal(new Set(sentences).size, sentences.length, line);
      }
    });
  }
});

suite("stepText", () => {
  test("puts in names and cards", () => {
    assert.equal(text(event("{0} plays 5H.", { cards: ["5H"] })), "Ann plays five of hearts.");
  });

  test("takes only the event's own cards for tokens", () => {
    assert.equal(text(event("{0} leads TH to trick TH5.", { cards: ["TH"] })), "Ann leads ten of hearts to trick TH5.");
  });

  test("joins like sentences", () => {
    const plays = [["{0}", "5H"], ["{1}", "7H"], ["{2}", "TH"]].map(([name, token]) => event(`${name} plays ${token}.`, { cards: [token] }));

    assert.equal(text(...plays), "Ann plays five of hearts, Ben seven of hearts, Cid ten of hearts.");
  });

  test("keeps unlike sentences apart and drops repeated ones", () => {
    assert.equal(text(event("{0} passes."), event("{0} passes."), event("{1} bids.")), "Ann passes. Ben bids.");
  });

  test("leaves out later events whose cards stay hidden", () => {
    assert.equal(text(event("The hand is dealt."), event("{1} gets 5H.", { cards: ["5H"], seen_by: [1] })), "The hand is dealt.");
  });

  test("leaves out the cards of single players in a deal", () => {
    const deal = event("The hand is dealt.", { kind: "deal", seat: null });

    assert.equal(text(deal, event("{1} gets 5H.", { cards: ["5H"], seat: 1 })), "The hand is dealt.");
    assert.equal(text(deal, event("5H is turned up.", { cards: ["5H"], seat: null })), "The hand is dealt. five of hearts is turned up.");
  });

  test("has words for every step of the golden records", () => {
    for (const [variant, { steps, seats }] of Object.entries(replays)) {
      for (const [index, step] of steps.entries()) {
        const words = stepText(step, seatNames(seats), deck);

        assert.match(words, /[.:!]$/, `${variant}, step ${index}`);
        assert.doesNotMatch(words, /undefined|\{\d+\}/, `${variant}, step ${index}`);
      }
    }
  });
});

suite("names, hands and ranks", () => {
  test("a name that occurs twice gets its seat number", () => {
    assert.deepEqual(seatNames([{ name: "a" }, { name: "b" }, { name: "a" }]), ["a (0)", "b", "a (2)"]);
  });

  test("listed names known cards and counts the others", () => {
    const cards = [{ token: "5H", seen: null }, { token: "7H", seen: new Set([1]) }, { token: "TH", seen: new Set([1]) }];

    assert.equal(listed(cards, 0, deck), "five of hearts, 2 face down");
    assert.equal(listed(cards, 1, deck), "five of hearts, seven of hearts, ten of hearts");
    assert.equal(listed([], 1, deck), "");
  });

  test("holding says when a hand is empty", () => {
    assert.equal(holding("Ann", [{ token: "5H", seen: null }], null, deck), "Ann holds five of hearts");
    assert.equal(holding("Ann", [], null, deck), "Ann holds no cards");
  });

  test("ordinal follows English", () => {
    assert.deepEqual([1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 23, 111].map(ordinal),
      ["1st", "2nd", "3rd", "4th", "10th", "11th", "12th", "13th", "21st", "22nd", "23rd", "111th"]);
  });

  test("capital changes the first letter only", () => assert.equal(capital("tRICK"), "TRICK"));
});
