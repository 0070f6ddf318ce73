import js from "@eslint/js";
import globals from "globals";

const HTML = ["innerHTML", "outerHTML", "insertAdjacentHTML"];


/* Text that a person reads is translated: a constant with two words, or one with a capital, is given to gettext. */
const TEXT = String.raw`/^[A-Z][a-z]+$|^(?!\.)[^"#<>[\]{}]*[A-Za-z]{2} [A-Za-z]{2}[^"#<>[\]{}]*$/`;
const MARKS = "CallExpression[callee.name=/^(_|ngettext|pgettext)$/]";
const CLASSES = "Property[key.name=/^class(Name)?$/]";
const SEARCHES = "CallExpression[callee.property.name=/^(closest|includes|matches|querySelector(All)?)$/]";
const unmarked = [
  `:not(${MARKS}, ${CLASSES}, ${SEARCHES}, BinaryExpression) > Literal[value=${TEXT}]`,
  `:not(${CLASSES}) > TemplateLiteral > TemplateElement[value.raw=/[A-Za-z]{2} [A-Za-z]{2}|^[A-Z][a-z]+/]`,
].map((selector) => ({ selector, message: "Translate this text: see docs/translating.md." }));

export default [
  { ignores: ["web/static/vendor/", ".*/", "dist/", "build/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    languageOptions: { ecmaVersion: 2024, sourceType: "module" },
    rules: {
      "array-callback-return": "error",
      complexity: ["error", 12],
      "consistent-return": "error",
      curly: ["error", "multi-line"],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-len": ["error", { code: 170, ignoreUrls: true }],
      "no-implicit-coercion": "error",
      "no-param-reassign": "error",
      // Text that players chose reaches the page; it must never be parsed as HTML.
      "no-restricted-properties": ["error", ...HTML.map((property) => ({ property, message: "Use textContent or append." }))],
      "no-shadow": "error",
      "no-unused-expressions": "error",
      "no-use-before-define": ["error", { functions: false, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "require-await": "error",
    },
  },
  { files: ["web/static/*.js"], languageOptions: { globals: globals.browser }, rules: { "max-lines-per-function": ["error", 40] } },
  { files: ["web/static/*.js"], ignores: ["web/static/docs.js"], rules: { "no-restricted-syntax": ["error", ...unmarked] } },
  { files: ["tests/js/*.js"], languageOptions: { globals: globals.node } },
];
