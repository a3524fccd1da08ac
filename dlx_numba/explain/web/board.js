// The Sudoku board: givens, placed values, and the candidates of each empty cell.

const boardView = (() => {
  const board = record.board;
  if (!board) return () => {};
  document.getElementById("board-panel").hidden = false;
  const n = board.side;
  const side = n <= 4 ? 64 : n <= 9 ? 46 : 36; // of a cell
  const margin = 2;
  const picture = addPicture("board", n * side + 2 * margin, n * side + 2 * margin, "");
  const perRow = Math.ceil(Math.sqrt(n)); // candidates in one row of a cell
  const cells = [];
  for (let cell = 0; cell < n * n; cell++) {
    const x = margin + (cell % n) * side;
    const y = margin + Math.floor(cell / n) * side;
    const group = svg("g", { "data-cell": cell }, picture);
    svg("rect", { x, y, width: side, height: side }, group);
    const center = { x: x + side / 2, y: y + side / 2 + side / 6, "text-anchor": "middle" };
    const value = svg("text", { ...center, style: `font-size: ${side / 2}px` }, group);
    const fontSize = side / perRow / 1.25;
    const candidates = board.symbols.slice(1).map((_, k) =>
      svg("text", {
        x: x + ((k % perRow) + 0.5) * (side / perRow),
        y: y + (Math.floor(k / perRow) + 0.82) * (side / Math.ceil(n / perRow)),
        "text-anchor": "middle",
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

  return function draw() {
    const placed = new Map();
    const remaining = board.givens.map(() => new Set());
    optionStates().forEach((state, option) => {
      const [cell, value] = board.placements[option];
      if (state === "chosen") placed.set(cell, value);
      else if (state !== "removed") remaining[cell].add(value);
    });
    const { chosen } = completedStep();
    const focus = focusOfPhase();
    const isMarked = (marked) => {
      const places = new Set([...marked].map((option) => board.placements[option].join()));
      return (cell, value) => places.has([cell, value].join());
    };
    const isSelected = isMarked(focus && focus.option >= 0 ? [focus.option] : []);
    const isRelated = isMarked(focus ? focus.related : []);
    const newest = chosen.length ? board.placements[chosen[chosen.length - 1]][0] : -1;
    let nEmpty = 0;
    cells.forEach(({ group, value, candidates }, cell) => {
      const given = board.givens[cell];
      const current = given || placed.get(cell) || 0;
      nEmpty += !current;
      const kind = given ? "given" : current ? "placed" : "empty";
      setAttributes(group, { class: `cell ${kind}${cell === newest ? " newest" : ""}` });
      setText(value, board.symbols[current]);
      candidates.forEach((text, k) => {
        setText(text, !current && remaining[cell].has(k + 1) ? board.symbols[k + 1] : "");
        const mark = isSelected(cell, k + 1) ? " selected" : isRelated(cell, k + 1) ? " related" : "";
        setAttributes(text, { class: `candidate${mark}` });
      });
    });
    const label = `Board: ${placed.size} cells filled in, ${nEmpty} empty.`;
    setAttributes(picture, { "aria-label": label });
  };
})();
