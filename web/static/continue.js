/* Put the move that the replay shows into the commands that re-create its position. */
document.addEventListener("replay:step", ({ detail: { move } }) => {
  if (move === null) return;
  for (const number of document.querySelectorAll("[data-continue]")) number.textContent = move;
});
