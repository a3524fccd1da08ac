// A board of cells: as stated, or if the names of the items are those of cells, rows or columns. Chosen options are colored areas or symbols, what the sentence names is shaded and
// outlined, and cells that no remaining option covers are hatched. If options number the cells of a
// path, such as a knight's tour, lines join them, and its start and its end have colors.

// A flat board leaves space for the matrix below it. Otherwise, the matrix follows the search tree.
function showBoardPanel(isFlat) {
  const panel = byId("board-panel");
  panel.hidden = false;
  if (!isFlat) return document.querySelector(".stack").after(byId("matrix-panel"));
  const stack = html("div", { class: "stack" });
  panel.before(stack);
  stack.append(panel, byId("matrix-panel"));
}

// Adds a legend below the board, of entries [kind of bar, number of its color or -1, meaning].
function addBoardLegend(label, entries) {
  const legend = html("ul", { class: "legend", "aria-label": label });
  for (const [kind, color, meaning] of entries) {
    const entry = html("li", {}, legend);
    const sample = svg("svg", { width: 22, height: 22, "aria-hidden": "true" }, entry);
    const style = `fill: ${record.palette[color] ?? ""}`;
    svg("rect", { x: 2, y: 3, width: 18, height: 16, rx: 2, style }, svg("g", { class: `bar ${kind}` }, sample));
    entry.append(` ${meaning}`);
  }
  byId("board").after(legend);
}

const boardView = (() => {
  const { grid, palette } = record;
  if (!grid) return () => {};
  const MAX_FLAT_ROWS = 3; // of boards above the matrix
  showBoardPanel(grid.rows <= MAX_FLAT_ROWS);
  const { rows, columns, symbols } = grid; // symbols are the candidates of a cell
  const side = Math.max(16, Math.min(46, Math.floor(640 / columns))); // of a cell
  const hasRowNumbers = grid.first_row !== null;
  const [left, top, margin] = [hasRowNumbers ? 20 : 2, 18, 2];
  const picture = addPicture("board", left + columns * side + margin, top + rows * side + margin, "");
  for (let column = 0; column < columns; column++) {
    const place = { x: left + (column + 0.5) * side, y: top - 5, class: "axis" };
    svg("text", place, picture, grid.column_labels[column]);
  }
  for (let row = 0; hasRowNumbers && row < rows; row++) {
    const place = { x: left / 2 - 1, y: top + (row + 0.5) * side, dy: "0.35em", class: "axis" };
    svg("text", place, picture, grid.first_row + row);
  }
  const cornerOf = (cell) => [left + (cell % columns) * side, top + Math.floor(cell / columns) * side];
  const labels = [...grid.option_cells.flat().map(([, label]) => label), ...symbols];
  const valueSize = side * Math.min(0.55, 1.5 / Math.max(1, ...labels.map(widthOf)));
  const existing = [...grid.option_cells.flat().map(([cell]) => cell), ...grid.item_cells.flat()];
  const givens = new Map(grid.givens); // the symbols of cells
  const exists = new Set([...existing, ...givens.keys()]);
  const cells = new Map([...exists].sort((a, b) => a - b).map((cell) => [cell, createCell(cell)]));
  const path = svg("path", { class: "path-line" }, picture);
  const borders = svg("path", { class: "borders" }, picture);
  const outline = svg("path", { class: "outline" }, picture);
  const END_COLORS = { start: 3, end: 1 };
  if (grid.path) {
    const ends = Object.entries(END_COLORS).map(([meaning, color]) => ["chosen", color, meaning]);
    addBoardLegend("Legend of the board", ends);
  }

  function createCell(cell) {
    const [x, y] = cornerOf(cell);
    const group = svg("g", { "data-cell": cell }, picture);
    const [, shade] = ["ground", "shade"].map((name) =>
      svg("rect", { x, y, width: side, height: side, class: name }, group));
    // Triangles, clockwise from the top, that options color
    const corners = [[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]];
    const sides = corners.slice(grid.option_sides.length ? 1 : 5).map(([x2, y2], k) =>
      svg("path", { d: `M${corners[k]}L${x2} ${y2}L${x + side / 2} ${y + side / 2}z`, class: "side" }, group));
    const center = { x: x + side / 2, y: y + side / 2, dy: "0.35em" };
    const value = svg("text", { ...center, style: `font-size: ${valueSize}px` }, group);
    const perRow = Math.ceil(Math.sqrt(symbols.length));
    const perColumn = Math.ceil(symbols.length / perRow);
    const candidates = symbols.map((_, k) =>
      svg("text", {
        x: x + ((k % perRow) + 0.5) * (side / perRow),
        y: y + (Math.floor(k / perRow) + 0.82) * (side / perColumn),
        style: `font-size: ${(1.45 * valueSize) / perRow}px`,
      }, group));
    return { group, shade, sides, value, candidates };
  }

  // The lines between neighboring cells with different values, as the data of a path.
  function linesBetween(outside, valueOf) {
    let data = "";
    for (let row = 0; row <= rows; row++) {
      for (let column = 0; column <= columns; column++) {
        const value = (r, c) =>
          r < 0 || c < 0 || r >= rows || c >= columns ? outside : valueOf(r * columns + c);
        const here = value(row, column);
        const [x, y] = [left + column * side, top + row * side];
        if (here !== value(row, column - 1)) data += `M${x} ${y}v${side}`;
        if (here !== value(row - 1, column)) data += `M${x} ${y}h${side}`;
      }
    }
    return data;
  }

  // The color of an option, which is at this place among the chosen ones.
  function colorOfOption(option, place) {
    if (!grid.path) return palette[place % palette.length];
    const number = grid.path[option];
    return palette[number === 0 ? END_COLORS.start : number === exists.size - 1 ? END_COLORS.end : 0];
  }

  // Lines between the cells with consecutive numbers, which they do not touch, as the data of a path.
  function linesAlongPath(chosen) {
    const centers = new Map(chosen.map((option) => {
      const [x, y] = cornerOf(grid.option_cells[option][0][0]);
      return [grid.path[option], [x + side / 2, y + side / 2]];
    }));
    let data = "";
    for (const [number, [x1, y1]] of centers) {
      if (!centers.has(number + 1)) continue;
      const [x2, y2] = centers.get(number + 1);
      const scale = (0.3 * side) / Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [scale * (x2 - x1), scale * (y2 - y1)];
      data += `M${x1 + dx} ${y1 + dy}L${x2 - dx} ${y2 - dy}`;
    }
    return data;
  }

  // The labels that options put into each of their cells.
  function labelsOf(options) {
    const labels = new Map();
    for (const [cell, label] of [...options].flatMap((option) => grid.option_cells[option])) {
      if (!labels.has(cell)) labels.set(cell, new Set());
      labels.get(cell).add(label);
    }
    return labels;
  }

  const cellsOf = (items) => new Set([...items].flatMap((item) => grid.item_cells[item - 1]));

  return function draw() {
    const states = optionStates();
    const chosen = shownOptions();
    const owners = new Map(); // of cells: the place of their option among the chosen ones
    const values = new Map(givens);
    const colors = new Map(); // of the sides of cells
    chosen.forEach((option, place) => {
      for (const [cell, side, color] of grid.option_sides[option] ?? []) colors.set(4 * cell + side, palette[color]);
      for (const [cell, label] of grid.option_cells[option]) {
        owners.set(cell, place);
        values.set(cell, label);
      }
    });
    const { option, items, related, lacking } = namedInSentence();
    const failing = cellsOf(lacking ? [lacking] : []);
    const selected = labelsOf(option < 0 ? [] : [option]);
    const named = new Set([...cellsOf(items), ...selected.keys()]);
    const single = [...items].filter((item) => grid.item_cells[item - 1].length === 1);
    const own = new Set([...cellsOf(single), ...selected.keys()]);
    const newest = shownCover() < 0 ? chosen.length - 1 : -1;
    const open = labelsOf([...states.keys()].filter((k) => states[k] !== "removed"));
    const changing = labelsOf(related);
    const gone = labelsOf([...related].filter((k) => states[k] === "removed")); // struck through
    for (const [cell, { group, shade, sides, value, candidates }] of cells) {
      const filled = symbols.length ? "placed" : "filled";
      const free = open.has(cell) ? "open" : "blocked";
      const kind = givens.has(cell) ? "given" : owners.has(cell) ? filled : free;
      const marks = { named: named.has(cell), own: own.has(cell), failing: failing.has(cell) };
      const flags = { cell: true, [kind]: true, ...marks, newest: owners.get(cell) === newest };
      setAttributes(group, { class: namesOf(flags) });
      shade.style.fill = kind === "filled" ? colorOfOption(chosen[owners.get(cell)], owners.get(cell)) : "";
      sides.forEach((path, k) => (path.style.fill = colors.get(4 * cell + k) ?? ""));
      const isMissing = failing.size === 1 && failing.has(cell);
      setText(value, (sides.length ? null : values.get(cell)) ?? (isMissing ? "✗" : ""));
      candidates.forEach((text, k) => {
        const isIn = (labels) => labels.get(cell)?.has(symbols[k]);
        setText(text, !values.has(cell) && (isIn(open) || isIn(gone)) ? symbols[k] : "");
        const mark = isIn(selected) ? " selected" : isIn(changing) ? " related" : "";
        setAttributes(text, { class: `candidate${mark}${isIn(gone) ? " gone" : ""}` });
      });
    }
    const ownerOf = (cell) => (exists.has(cell) ? owners.get(cell) ?? "none" : "outside");
    const outlined = own.size ? own : named;
    if (grid.path) setAttributes(path, { d: linesAlongPath(chosen) });
    setAttributes(borders, { d: linesBetween("outside", grid.regions.length || symbols.length ? (cell) => grid.regions[cell] ?? exists.has(cell) : ownerOf) });
    setAttributes(outline, { d: linesBetween(false, (cell) => outlined.has(cell)) });
    const label = `Board: ${owners.size} cells filled, ${exists.size - values.size} empty.`;
    setAttributes(picture, { "aria-label": label });
  };
})();
