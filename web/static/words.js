/* Text in the language of the page. Its translations, if it needs any, come from the script /language/TAG.js. */
const words = globalThis.arenaWords ?? {};
export const language = document.documentElement.lang;
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
