/* Pure arithmetic of a list that turns its pages by itself. */

/** Number of pages of a list that is `full` high, of which `shown` fits at a time. A pixel of rounding is no page. */
export const pagesOf = (full, shown) => (shown > 0 ? Math.max(1, Math.ceil((full - 1) / shown)) : 1);

/** Page after this one, the first after the last. */
export const turned = (page, pages) => (page + 1) % pages;
