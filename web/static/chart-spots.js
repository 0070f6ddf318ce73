/* Pure functions of the places of a chart's values. */

/** The number of the place that is nearest to `x`; places are ordered by x. */
export function nearest(places, x) {
  const right = places.findIndex((place) => place.x >= x);
  if (right === -1) return places.length - 1;
  return right > 0 && x - places[right - 1].x <= places[right].x - x ? right - 1 : right;
}

/** The number of the place that a key leads to from place `at` of `count`; undefined for other keys. */
export function step(key, at, count) {
  const page = Math.max(1, Math.round(count / 10));
  const to = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, PageUp: at + page, PageDown: at - page, Home: 0, End: count - 1 }[key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1);
}
