/* Put the move that the replay shows, or the next one, into the commands that re-create its position. */
document.addEventListener("replay:step", ({ detail: { next } }) => {
  for (const number of document.querySelectorAll("[data-continue]")) number.textContent = next;
});
