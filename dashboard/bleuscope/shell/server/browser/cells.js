// A cell of the matrix of a campaign opens its comparison, and the head of a column its test set.
document.addEventListener("click", (event) => {
  const cell = event.target.closest?.(".bs-cell");
  if (cell) request("_cell", cell.dataset.place);
});
