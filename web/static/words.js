/* Text in the language of the page. Its translations, if it needs any, come from the script words-TAG.js. */
const words = globalThis.arenaWords ?? {};
export const language = globalThis.document?.documentElement.lang || "en";
/** The language of dates: English ones are British. */
export const dates = language === "en" ? "en-GB" : language;
const plural = new Intl.PluralRules(language);
const forms = plural.resolvedOptions().pluralCategories;
const decimal = new Intl.NumberFormat(language);

const filled = (text, values) => text.replace(/%\((\w+)\)s|%%/g, (mark, name) => (name ? values[name] : "%"));

/** A text with its values: `_("%(name)s to move", {name})`. With values, "%%" is a percent sign. */
export const _ = (text, values) => (values ? filled(words[text] ?? text, values) : words[text] ?? text);

/** A text with a count, which is the value `num`. */
export function ngettext(one, many, count, values = {}) {
  const [found, index] = words[one] ? [words[one], forms.indexOf(plural.select(count))] : [[one, many], count === 1 ? 0 : 1];
  return filled(found[index], { num: decimal.format(count), ...values });
}

/** A text with several meanings in English, by its context. */
export const pgettext = (context, text) => words[`${context}\u0004${text}`] ?? text;

/** A text in parts, with elements as its values: `woven(_("won by %(name)s"), {name: h("b", {}, name)})`. A value may be a list. */
export const woven = (text, values) => text.split(/%\((\w+)\)s/).flatMap((part, index) => (index % 2 ? values[part] : part || []));

/** A number with this many decimal places: 3.20, in German 3,20. */
export function number(value, digits = 0) {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
}

/** A word as it stands inside a sentence: in English it has no capital. */
export const within = (word) => (language === "en" ? word.toLowerCase() : word);
