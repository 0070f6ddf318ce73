/* The search of the docs. A plain script, so that it runs in pages that are opened as files; its index is loaded at the first use. */
(() => {
  const MOST = 20;
  const AROUND = 80;
  const form = document.querySelector(".docs-search");
  const input = form.querySelector("input");
  const found = document.querySelector(".docs-found");
  const article = document.querySelector("article");
  let index;

  const load = (src) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = src;
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error(`${src} could not be loaded`)));
    document.head.append(script);
  });

  const make = async () => {
    await Promise.all([load("vendor/minisearch.js"), load("search-index.js")]);
    const options = { prefix: true, fuzzy: (term) => (term.length > 4 ? 0.15 : 0), boost: { title: 4, heading: 3 }, combineWith: "AND" };
    const made = new globalThis.MiniSearch({ fields: ["title", "heading", "text"], storeFields: ["page", "slug", "title", "heading", "text"], searchOptions: options });
    made.addAll(globalThis.sections.map(([page, slug, title, heading, text], id) => ({ id, page, slug, title, heading, text })));
    return made;
  };

  const excerpt = (text, terms) => {
    const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0);
    const start = Math.max(0, Math.min(...places, text.length) - AROUND);
    const from = places.length ? start : 0;
    return `${from ? "…" : ""}${text.slice(from, from + 3 * AROUND)}${text.length > from + 3 * AROUND ? "…" : ""}`;
  };

  const shown = (one) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = one.slug ? `${one.page}#${one.slug}` : one.page;
    link.textContent = one.heading === one.title ? one.title : `${one.title}: ${one.heading}`;
    link.addEventListener("click", () => { input.value = ""; show([]); });
    const text = document.createElement("p");
    text.textContent = excerpt(one.text, one.terms);
    item.append(link, text);
    return item;
  };

  const show = (results) => {
    const words = input.value.trim();
    found.hidden = !words;
    article.hidden = Boolean(words);
    found.querySelector("ol").replaceChildren(...results.slice(0, MOST).map(shown));
    found.querySelector("p").textContent = words && `${results.length || "No"} ${results.length === 1 ? "result" : "results"} for “${words}”`;
  };

  const search = async () => {
    index ??= make();
    const made = await index;
    show(input.value.trim() ? made.search(input.value) : []);
  };

  const contents = document.querySelector(".docs-nav");
  contents.scrollTop = (contents.querySelector("[aria-current]")?.offsetTop ?? 0) - contents.clientHeight / 3;
  input.addEventListener("focus", () => { index ??= make(); }, { once: true });
  input.addEventListener("input", search);
  input.addEventListener("keydown", (event) => { if (event.key === "Escape") { input.value = ""; show([]); } });
  form.addEventListener("submit", (event) => { event.preventDefault(); found.querySelector("a")?.focus(); });
})();
