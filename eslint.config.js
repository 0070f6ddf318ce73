import js from "@eslint/js";
import globals from "globals";

const HTML = ["innerHTML", "outerHTML", "insertAdjacentHTML"];

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
  { files: ["tests/js/*.js"], languageOptions: { globals: globals.node } },
];
