/* Not deferred: the saved theme must apply before the first paint, or the page flashes. */
(() => {
  const _ = (text) => globalThis.arenaWords?.[text] ?? text; // as in words.js, which is a module
  const root = document.documentElement;
  const saved = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const apply = (theme) => { if (theme === "light" || theme === "dark") root.dataset.theme = theme; else delete root.dataset.theme; };
  const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  apply(saved());
  addEventListener("storage", (event) => { if (event.key === "theme") apply(event.newValue); });
  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-switch]");
    if (!button) return;
    const label = () => button.setAttribute("aria-label", isDark() ? _("Switch to light colours") : _("Switch to dark colours"));
    button.hidden = false;
    label();
    button.addEventListener("click", () => {
      const theme = isDark() ? "light" : "dark";
      apply(theme);
      label();
      try { localStorage.setItem("theme", theme); } catch { /* private mode: the choice lasts for this page */ }
    });
  });
})();
