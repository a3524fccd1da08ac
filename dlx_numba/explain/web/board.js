// The Sudoku board: givens, placed values, and the candidates of each empty cell. The cells, rows,
// columns and boxes that the sentence names are shaded.

// A flat board leaves space for the matrix below it. Otherwise, the matrix follows the search tree.
function showBoardPanel(isFlat) {
  const panel = byId("board-panel");
  panel.hidden = false;
  if (!isFlat) return document.querySelector(".stack").after(byId("matrix-panel"));
  const stack = html("div", { class: "stack" });
  panel.before(stack);
  stack.append(panel, byId("matrix-panel"));
}

// Adds a legend below the board. Each entry is a function that draws a sample, and its meaning.
function addBoardLegend(label, entries) {
  const legend = html("ul", { class: "legend", "aria-label": label });
  for (const [draw, meaning] of entries) {
    draw(addSample(legend, meaning), { x: 2, y: 3, width: 18, height: 16 });
  }
  byId("board").after(legend);
}

const boardView = (() => {
  const board = record.board;
  if (!board) return () => {};
  showBoardPanel(false);
  const n = board.side;
  const side = n <= 4 ? 64 : n <= 9 ? 46 : 36; // of a cell
  const margin = 2;
  const picture = addPicture("board", n * side + 2 * margin, n * side + 2 * margin, "");
  const perRow = Math.ceil(Math.sqrt(n)); // candidates in one row of a cell
  const hasNumbers = board.symbols.some((symbol) => symbol.length > 1);
  const marked = n <= 25 ? board.symbols.slice(1) : []; // more candidates would be illegible
  const cells = [];
  for (let cell = 0; cell < n * n; cell++) {
    const x = margin + (cell % n) * side;
    const y = margin + Math.floor(cell / n) * side;
    const group = svg("g", { "data-cell": cell }, picture);
    svg("rect", { x, y, width: side, height: side, class: "ground" }, group);
    svg("rect", { x, y, width: side, height: side, class: "shade" }, group);
    const center = { x: x + side / 2, y: y + side / 2 + side / 6 };
    const value = svg("text", { ...center, style: `font-size: ${side / 2}px` }, group);
    const fontSize = side / perRow / (hasNumbers ? 1.5 : 1.25);
    const candidates = marked.map((_, k) =>
      svg("text", {
        x: x + ((k % perRow) + 0.5) * (side / perRow),
        y: y + (Math.floor(k / perRow) + 0.82) * (side / Math.ceil(n / perRow)),
        style: `font-size: ${fontSize}px`,
        class: "candidate",
      }, group));
    cells.push({ group, value, candidates });
  }
  for (let k = 0; k <= n; k++) {
    const end = margin + n * side;
    const offset = margin + k * side;
    const vertical = { x1: offset, y1: margin, x2: offset, y2: end };
    const horizontal = { x1: margin, y1: offset, x2: end, y2: offset };
    svg("line", { ...vertical, class: k % board.columns ? "thin" : "thick" }, picture);
    svg("line", { ...horizontal, class: k % board.rows ? "thin" : "thick" }, picture);
  }

  const separator = n > 9 ? "," : "";
  const named = (kind, first, second) => `${kind}${first}${separator}${second}`;
  const explained = `Items: ${named("p", 1, 2)} is the cell in row 1, column 2; ${named("r", 1, 2)} is a 2 in row 1, \
${named("c", 1, 2)} a 2 in column 1, and ${named("b", 1, 2)} a 2 in box 1. All numbers count from 1.`;
  html("p", { class: "note", id: "items-note" }, byId("board-panel"), explained);

  // The values that fill a board after all options of a list are chosen.
  const valuesOf = (options) => new Map(options.map((option) => board.placements[option]));

  // A set of candidates as a function of the cell and the value.
  function markedBy(options) {
    const places = new Set([...options].map((option) => board.placements[option].join()));
    return (cell, value) => places.has([cell, value].join());
  }

  return function draw() {
    const remaining = board.givens.map(() => new Set());
    const states = optionStates();
    const chosen = shownOptions();
    const placed = valuesOf(chosen);
    const { option, items, lacking } = namedInSentence();
    const failing = new Set(lacking ? board.item_cells[lacking - 1] : []);
    const related = relatedInSentence();
    states.forEach((state, k) => {
      // Candidates that the step removes are drawn once more, struck through.
      if (state === "removed" && !related.has(k)) return;
      const [cell, value] = board.placements[k];
      remaining[cell].add(value);
    });
    const isSelected = markedBy(option >= 0 ? [option] : []);
    const isRelated = markedBy(related);
    const isRemoved = markedBy([...related].filter((k) => states[k] === "removed"));
    const named = new Set([...items].flatMap((item) => board.item_cells[item - 1]));
    const ownCells = [...items].filter((item) => board.item_cells[item - 1].length === 1);
    const own = new Set(ownCells.flatMap((item) => board.item_cells[item - 1]));
    if (option >= 0) own.add(board.placements[option][0]);
    const newest = chosen.length && shownCover() < 0 ? board.placements[chosen.at(-1)][0] : -1;
    let nEmpty = 0;
    cells.forEach(({ group, value, candidates }, cell) => {
      const given = board.givens[cell];
      const current = given || placed.get(cell) || 0;
      nEmpty += !current;
      const kinds = ["cell", given ? "given" : current ? "placed" : "empty"];
      if (cell === newest) kinds.push("newest");
      if (named.has(cell)) kinds.push("named");
      if (own.has(cell)) kinds.push("own");
      if (failing.has(cell)) kinds.push("failing");
      setAttributes(group, { class: kinds.join(" ") });
      setText(value, !current && failing.size === 1 && failing.has(cell) ? "✗" : board.symbols[current]);
      candidates.forEach((text, k) => {
        setText(text, !current && remaining[cell].has(k + 1) ? board.symbols[k + 1] : "");
        const marks = ["candidate"];
        if (isSelected(cell, k + 1)) marks.push("selected");
        else if (isRelated(cell, k + 1)) marks.push("related");
        if (isRemoved(cell, k + 1)) marks.push("gone");
        setAttributes(text, { class: marks.join(" ") });
      });
    });
    const label = `Board: ${placed.size} cells filled in, ${nEmpty} empty.`;
    setAttributes(picture, { "aria-label": label });
  };
})();
