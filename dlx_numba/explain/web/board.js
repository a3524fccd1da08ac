// The board of a Sudoku: givens, what is placed, and what may still stand in each empty cell.

const boardView = (() => {
  const board = record.board;
  if (!board) return () => {};
  document.getElementById("board-panel").hidden = false;
  const n = board.side;
  const side = n <= 4 ? 64 : n <= 9 ? 46 : 36;
  const picture = drawing("board", n * side + 4, n * side + 4, "");
  const across = Math.ceil(Math.sqrt(n));
  const cells = [];
  for (let cell = 0; cell < n * n; cell++) {
    const x = 2 + (cell % n) * side;
    const y = 2 + Math.floor(cell / n) * side;
    const group = svg("g", { "data-cell": cell }, picture);
    svg("rect", { x, y, width: side, height: side }, group);
    const middle = { x: x + side / 2, y: y + side / 2 + side / 6, "text-anchor": "middle" };
    const value = svg("text", { ...middle, style: `font-size: ${side / 2}px` }, group);
    const size = side / across / 1.25;
    const small = board.symbols.slice(1).map((_, k) =>
      svg("text", {
        x: x + ((k % across) + 0.5) * (side / across),
        y: y + (Math.floor(k / across) + 0.82) * (side / Math.ceil(n / across)),
        "text-anchor": "middle",
        style: `font-size: ${size}px`,
        class: "may",
      }, group));
    cells.push({ group, value, small });
  }
  for (let k = 0; k <= n; k++) {
    const end = 2 + n * side;
    const at = 2 + k * side;
    const up = { x1: at, y1: 2, x2: at, y2: end, class: k % board.columns ? "thin" : "thick" };
    const flat = { x1: 2, y1: at, x2: end, y2: at, class: k % board.rows ? "thin" : "thick" };
    svg("line", up, picture);
    svg("line", flat, picture);
  }

  return function draw() {
    const states = optionStates();
    const placed = new Map();
    const may = board.givens.map(() => new Set());
    states.forEach((state, option) => {
      const [cell, value] = board.placement[option];
      if (state === "chosen") placed.set(cell, value);
      else if (state !== "out") may[cell].add(value);
    });
    const { chosen } = steps[at];
    const newest = chosen.length ? board.placement[chosen[chosen.length - 1]][0] : -1;
    let empty = 0;
    cells.forEach(({ group, value, small }, cell) => {
      const given = board.givens[cell];
      const now = given || placed.get(cell) || 0;
      empty += !now;
      const kind = given ? "given" : now ? "placed" : "empty";
      set(group, { class: `cell ${kind}${cell === newest ? " newest" : ""}` });
      setText(value, board.symbols[now]);
      small.forEach((text, k) => {
        setText(text, !now && may[cell].has(k + 1) ? board.symbols[k + 1] : "");
      });
    });
    const label = `Board: ${placed.size} cells filled in, ${empty} empty.`;
    set(picture, { "aria-label": label });
  };
})();
