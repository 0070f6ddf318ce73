/* Pure comparison of two states of a table: rows by key, each with its top edge and the texts of its cells. */

/** Distances in pixels from where rows stood to where they stand, by key; rows that are new or stayed are left out. */
export function moves(before, after) {
  return new Map([...after]
    .filter(([key, row]) => before.has(key) && before.get(key).top !== row.top)
    .map(([key, row]) => [key, before.get(key).top - row.top]));
}

/** Positions of the cells whose text has changed, by key of their row; new rows have none. */
export function changes(before, after) {
  const found = new Map();
  for (const [key, row] of after) {
    const cells = before.get(key)?.cells;
    const changed = cells ? row.cells.map((text, at) => (text === cells[at] ? -1 : at)).filter((at) => at >= 0) : [];
    if (changed.length) found.set(key, changed);
  }
  return found;
}
