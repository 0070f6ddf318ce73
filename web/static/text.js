/* Pure functions of text that the scripts of the pages share. */
import { _, dates, language, ngettext, number } from "./words.js";

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

/** A relative time such as "2 hours ago"; `seconds` is negative for the past. */
export function ago(seconds) {
  const rounded = (to) => Math.round(Math.abs(seconds) / to) * to; // 59.6 minutes are an hour
  const [unit, length] = UNITS.find(([, limit], index) => rounded(UNITS[index + 1]?.[1] ?? 1) >= limit) ?? UNITS.at(-1);
  return relative.format(Math.round(seconds / length), unit);
}

/** A size in bytes as people read it: "512 bytes", "1.5 KiB". */
export function fileSize(bytes) {
  if (bytes < 2 ** 10) return ngettext("%(num)s byte", "%(num)s bytes", bytes, { num: bytes });
  return bytes < 2 ** 20 ? `${number(bytes / 2 ** 10, 1)} KiB` : `${number(bytes / 2 ** 20, 1)} MiB`;
}

/** The name that an uploaded file suggests for its bot: allowed characters only, 32 at most. */
export const botName = (filename) => filename.replace(/\.(py|zip)$/i, "").replace(/[^\w.-]+/g, "-").slice(0, 32);

/** A name in the parts between which a line may break, as the filter `breakable` of the pages has it. */
export const nameParts = (name) => (name.length > 14 ? name.split(/(?<=[._])(?=[^._])/) : [name]);

/** The words of a search, in lower case. */
export const searchWords = (query) => query.toLowerCase().split(/\s+/).filter(Boolean);

/** Whether a text contains every word of a search. */
export const matches = (text, words) => words.every((word) => text.toLowerCase().includes(word));

/** The sentence about one pairing of a crosstable; `tables`, `interval` and `likelihood` are the texts of its cell. */
export function pairing(name, other, { share, tables, interval, likelihood }) {
  const [count, values] = [Number(tables.replace(/\D/g, "")), { name, other, share, num: tables, interval, likelihood }];
  const text = interval ? ngettext(
    "%(name)s took %(share)s %% from %(other)s over %(num)s table (95 %% interval %(interval)s; likelihood of being better %(likelihood)s).",
    "%(name)s took %(share)s %% from %(other)s over %(num)s tables (95 %% interval %(interval)s; likelihood of being better %(likelihood)s).",
    count, values,
  ) : ngettext("%(name)s took %(share)s %% from %(other)s over %(num)s table.", "%(name)s took %(share)s %% from %(other)s over %(num)s tables.", count, values);
  return `${text} `;
}

/** The time until something starts: "in 40 days", "in 3 d 4 h", "in 2 h 5 min", "in 4:09", or "starting" once it is over. */
export function countdown(seconds) {
  if (seconds <= 0) return _("starting");
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days >= 30) return ngettext("in %(num)s day", "in %(num)s days", days);
  if (days) return _("in %(days)s d %(hours)s h", { days, hours });
  return hours ? _("in %(hours)s h %(minutes)s min", { hours, minutes }) : _("in %(time)s", { time: `${minutes}:${String(seconds % 60).padStart(2, "0")}` });
}

const day = new Intl.DateTimeFormat(dates, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

/** A moment on the visitor's clock beside the same moment on another clock, `wall` ("2030-01-31T18:00"): nothing if
    both show the same time, otherwise "19:00", with the date if it differs. `offset` is as of Date.getTimezoneOffset. */
export function yourTime(date, wall, offset = date.getTimezoneOffset()) {
  const own = new Date(date - offset * 60_000);
  const [ownDate, ownTime] = own.toISOString().split("T");
  const [otherDate, otherTime] = wall.split("T");
  const time = ownTime.slice(0, 5);
  if (ownDate !== otherDate) return _("%(day)s, %(time)s", { day: language === "en" ? day.format(own).replace(",", "") : day.format(own), time });
  return time === otherTime ? "" : time;
}
