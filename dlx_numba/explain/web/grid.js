// A grid of cells, if the names of the items are those of cells, rows or columns. Chosen options
// are colored areas, and what the sentence names is outlined. Cells that no remaining option
// covers are hatched. If options number the cells of a path, such as a knight's tour, lines join
// them, and its start and its end have colors.

const gridView = (() => {
  const { grid } = record;
  if (!grid) return () => {};
  const MAX_FLAT_ROWS = 3; // of boards above the matrix
  showBoardPanel(grid.rows <= MAX_FLAT_ROWS);
  const { rows, columns } = grid;
  const side = Math.max(16, Math.min(44, Math.floor(560 / columns))); // of a cell
  const margin = 2;
  const hasRowNumbers = grid.first_row !== null;
  const left = hasRowNumbers ? 20 : margin;
  const top = 18;
  const width = left + columns * side + margin;
  const height = top + rows * side + margin;
  const picture = addPicture("board", width, height, "");
  const definitions = svg("defs", {}, picture);
  const hatching = { id: "hatching", width: 6, height: 6, patternUnits: "userSpaceOnUse" };
  svg("path", { d: "M-1 7L7 -1M-1 1L1 -1M5 7L7 5" }, svg("pattern", hatching, definitions));
  const exists = new Set(grid.option_cells.flat().map(([cell]) => cell));
  for (const cell of grid.item_cells.flat()) exists.add(cell);
  const cells = new Map();
  for (const cell of [...exists].sort((a, b) => a - b)) {
    const x = left + (cell % columns) * side;
    const y = top + Math.floor(cell / columns) * side;
    const group = svg("g", { "data-cell": cell }, picture);
    const ground = svg("rect", { x, y, width: side, height: side, class: "ground" }, group);
    const text = svg("text", { x: x + side / 2, y: y + side / 2, dy: "0.35em" }, group);
    if (grid.has_queens) text.style.fontSize = `${0.7 * side}px`;
    cells.set(cell, { group, ground, text });
  }
  for (let column = 0; column < columns; column++) {
    const place = { x: left + (column + 0.5) * side, y: top - 5, class: "axis" };
    svg("text", place, picture, grid.first_column + column);
  }
  for (let row = 0; hasRowNumbers && row < rows; row++) {
    const place = { x: left / 2 - 1, y: top + (row + 0.5) * side, dy: "0.35em", class: "axis" };
    svg("text", place, picture, grid.first_row + row);
  }
  const PATH_COLOR = 0;
  const END_COLORS = { start: 3, end: 1 };
  const nExisting = exists.size;
  const numbers = grid.is_path ? grid.option_cells.map(([[, label]]) => Number(label)) : [];
  const firstNumber = Math.min(...numbers);
  if (grid.is_path) {
    addBoardLegend("Legend of the board", Object.entries(END_COLORS).map(([meaning, color]) => [
      (sample, place) => svg("rect", { ...place, style: `fill: ${record.palette[color]}` }, sample),
      meaning,
    ]));
  }
  const line = svg("path", { class: "path-line" }, picture);
  const borders = svg("path", { class: "borders" }, picture);
  const outline = svg("path", { class: "outline" }, picture);

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

  // The color of the option at this place among the chosen ones.
  function colorOfOption(chosen, place) {
    const { palette } = record;
    if (!grid.is_path) return palette[place % palette.length];
    const number = numbers[chosen[place]] - firstNumber;
    if (number === 0) return palette[END_COLORS.start];
    return palette[number === nExisting - 1 ? END_COLORS.end : PATH_COLOR];
  }

  // Lines between the cells with consecutive numbers, which they do not touch, as the data of a path.
  function linesAlongPath(chosen) {
    const MARGIN = 0.3 * side;
    const centerOf = (cell) => [
      left + ((cell % columns) + 0.5) * side,
      top + (Math.floor(cell / columns) + 0.5) * side,
    ];
    const centers = new Map(
      chosen.map((option) => [numbers[option], centerOf(grid.option_cells[option][0][0])]),
    );
    let data = "";
    for (const [number, [x1, y1]] of centers) {
      if (!centers.has(number + 1)) continue;
      const [x2, y2] = centers.get(number + 1);
      const scale = MARGIN / Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [scale * (x2 - x1), scale * (y2 - y1)];
      data += `M${x1 + dx} ${y1 + dy}L${x2 - dx} ${y2 - dy}`;
    }
    return data;
  }

  return function draw() {
    const states = optionStates();
    const chosen = shownOptions();
    const owners = new Map(); // of cells: the place of their option among the chosen ones
    const labels = new Map();
    chosen.forEach((option, k) => {
      for (const [cell, label] of grid.option_cells[option]) {
        owners.set(cell, k);
        labels.set(cell, label);
      }
    });
    const open = new Set(); // cells that can still be covered
    states.forEach((state, option) => {
      if (state === "removed") return;
      for (const [cell] of grid.option_cells[option]) open.add(cell);
    });
    const { option, items, lacking } = namedInSentence();
    const namedItems = option < 0 ? [...items] : lacking ? [lacking] : [];
    const named = new Set(namedItems.flatMap((item) => grid.item_cells[item - 1]));
    const failing = new Set(lacking ? grid.item_cells[lacking - 1] : []);
    if (option >= 0) for (const [cell] of grid.option_cells[option]) named.add(cell);
    for (const [cell, { group, ground, text }] of cells) {
      const kind = owners.has(cell) ? "filled" : open.has(cell) ? "open" : "blocked";
      const marks = `${named.has(cell) ? " named" : ""}${failing.has(cell) ? " failing" : ""}`;
      setAttributes(group, { class: `cell ${kind}${marks}` });
      ground.style.fill = kind === "filled" ? colorOfOption(chosen, owners.get(cell)) : "";
      setText(text, labels.get(cell) ?? "");
    }
    const ownerOf = (cell) => (exists.has(cell) ? owners.get(cell) ?? "none" : "outside");
    if (grid.is_path) setAttributes(line, { d: linesAlongPath(chosen) });
    setAttributes(borders, { d: linesBetween("outside", ownerOf) });
    setAttributes(outline, { d: linesBetween(false, (cell) => named.has(cell)) });
    const label = `Board: ${owners.size} cells filled, ${nExisting - owners.size} empty.`;
    setAttributes(picture, { "aria-label": label });
  };
})();
