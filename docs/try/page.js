"use strict";

// The page: see problem.js for problems, dlx.js for the kernels, and scripts/try_page.py for data.js,
// which defines `bundle`, because pages that are files may not fetch others.

const byId = (id) => document.getElementById(id);
const on = (node, name, listener) => node.addEventListener(name, listener);
const grouped = (number) => number.toLocaleString("en-US", { maximumFractionDigits: 15 });
const plural = (number, noun) => `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
let dlx = null;
let whyNotLoaded = "";

function make(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

function report(id, text, isError = false) {
  byId(id).textContent = text;
  byId(id).classList.toggle("error", isError);
}

/** Make controls gray, with the reason as their title and in an element, or usable if there is none. */
function disable(controls, reason, id) {
  for (const control of controls) Object.assign(control, { disabled: Boolean(reason), title: reason });
  for (const control of controls) control.setAttribute("aria-describedby", reason ? id : "");
  report(id, reason);
}

const running = {}; // the last task that reports to each element

/** Return a function that runs a task, which reports to an element, and first stops the one before. */
function latest(id, task) {
  const cancel = () => running[id]?.abort();
  const run = async (...values) => {
    cancel();
    const controller = (running[id] = new AbortController());
    const { signal } = controller;
    try {
      await task(signal, (text) => signal.aborted || report(id, text), ...values);
    } catch (error) {
      if (!signal.aborted) report(id, error.message, true);
    }
    if (running[id] === controller) delete running[id];
  };
  const stop = () => {
    if (!running[id]) return;
    cancel();
    report(id, "Stopped.");
  };
  return Object.assign(run, { cancel, stop });
}

async function loadKernels() {
  if (!globalThis.bundle?.wasm) throw new Error("This copy was built without the kernels: the linker wasm-ld was missing.");
  const packed = await fetch(`data:application/gzip;base64,${bundle.wasm}`);
  const unpacked = new Response(packed.body.pipeThrough(new DecompressionStream("gzip")));
  const type = "application/wasm";
  const wasm = URL.createObjectURL(new Blob([await unpacked.arrayBuffer()], { type }));
  // Pages that are files may start workers whose source is in their URL.
  const source = location.protocol === "file:" ? `data:text/javascript;charset=utf-8,${encodeURIComponent(bundle.source)}`
    : URL.createObjectURL(new Blob([bundle.source], { type: "text/javascript" }));
  return (await import(source)).load(wasm);
}

// Boards, and why there is no cover

/** Show the cells of a board; `look(row, column)` returns their group, label and fill, or null. */
function drawBoard(node, { top, left, bottom, right }, look, tag = "span") {
  const columns = right - left + 1;
  const length = (bottom - top + 1) * columns;
  node.style.setProperty("--columns", columns);
  if (node.children.length !== length) node.replaceChildren(...Array.from({ length }, () => make(tag)));
  [...node.children].forEach((cell, k) => {
    const [r, c] = [top + Math.floor(k / columns), left + (k % columns)];
    const seen = look(r, c);
    const edges = { top: [r - 1, c], bottom: [r + 1, c], left: [r, c - 1], right: [r, c + 1] };
    const walls = Object.keys(edges).filter((side) => seen?.fill && look(...edges[side])?.group !== seen.group);
    cell.className = [...walls, seen ? "" : "none"].join(" ");
    cell.style.background = seen?.fill ?? "";
    cell.textContent = seen?.label ?? "";
    Object.assign(cell.dataset, { row: r, column: c });
  });
}

/** Return elements that show why a problem has no cover. */
function explain(problem, noun, items) {
  const coloring = findColoring(problem);
  if (coloring === null) return [make("p", {}, "No coloring proves this, but the search has tried everything.")];
  const { modulus, values, total, isExact } = coloring;
  const covered = new Set(problem.options.flat());
  const without = [...values.keys()].filter((name) => values.get(name) && !covered.has(name));
  if (without.length) return [make("p", {}, `Why not: no ${noun} covers ${without.join(" or ")}.`)];
  const used = [...values].filter(([, value]) => value);
  const multiple = modulus === 2 ? "an even number" : `a multiple of ${modulus}`;
  const text = used.every(([, value]) => value === 1)
    ? `each ${noun} covers ${multiple} of the ${used.length} marked ${items}, but ${total} must be covered.`
    : `each ${noun} sums to ${isExact ? 0 : multiple}, but all ${items} sum to ${total}, with these numbers.`;
  const [board, order] = [findBoard(problem), [...new Set(used.map(([, value]) => value))]];
  if (!board || !used.every(([name]) => board.place(name))) {
    const names = (value) => used.filter((pair) => pair[1] === value).map(([name]) => name).join(" ");
    return [`Why not: ${text}`, ...order.map((value) => `${value}: ${names(value)}`)].map((line) => make("p", {}, line));
  }
  const cells = new Map([...values].map(([name, value]) => [board.place(name)?.join(), value]));
  const picture = make("div", { className: "board", role: "img", ariaLabel: "The numbers of the cells" });
  drawBoard(picture, board, (r, c) => {
    const value = cells.get(`${r},${c}`);
    return value === undefined ? null : { group: `${r},${c}`, label: value || "", fill: value && colorOf(value, order.indexOf(value)) };
  });
  return [make("p", {}, `Why not: ${text}`), picture];
}

// The box of pentominoes

const box = { rows: 8, columns: 8, removed: new Set(["3,3", "3,4", "4,3", "4,4"]), draws: null };

function drawBox(look = () => ({})) {
  const [board, bounds] = [byId("box-board"), { top: 0, left: 0, bottom: box.rows - 1, right: box.columns - 1 }];
  drawBoard(board, bounds, (r, c) => (box.removed.has(`${r},${c}`) ? null : look(r, c)), "button");
  for (const cell of board.children) {
    const isRemoved = cell.classList.contains("none");
    const state = isRemoved ? "removed" : cell.textContent || "empty";
    const ariaLabel = `row ${Number(cell.dataset.row) + 1}, column ${Number(cell.dataset.column) + 1}, ${state}`;
    Object.assign(cell, { ariaLabel, ariaPressed: isRemoved, tabIndex: -1 });
  }
  (board.contains(document.activeElement) ? document.activeElement : board.firstChild).tabIndex = 0;
  Object.assign(byId("box-rows"), { value: box.rows });
  Object.assign(byId("box-columns"), { value: box.columns });
}

const solveBox = latest("box-result", async (stop, show) => {
  drawBox();
  byId("box-why").replaceChildren();
  const all = Array.from({ length: box.rows * box.columns }, (_, k) => [Math.floor(k / box.columns), k % box.columns]);
  const cells = all.filter((cell) => !box.removed.has(cell.join()));
  if (cells.length > 60) return show(`${cells.length} cells: the twelve pieces fill 60. Remove ${cells.length - 60} or more.`);
  if (!dlx) return show("Nothing is solved without the kernels.");
  show("Searching …");
  await new Promise((resolve) => setTimeout(resolve)); // so that the cell is drawn first
  const problem = pentominoProblem(cells);
  const cover = new dlx.ExactCover(problem.options, problem);
  const first = cells.length % 5 || stop.aborted ? null : await cover.first({ stop });
  if (stop.aborted) return;
  if (first === null) {
    show(`No solution for these ${plural(cells.length, "cell")}.`);
    byId("box-why").replaceChildren(...explain(problem, "piece", "cells"));
    return;
  }
  const pieces = first.map((number) => problem.options[number]);
  const letterAt = new Map(pieces.flatMap(([letter, ...names]) => names.map((name) => [name, letter])));
  drawBox((r, c) => {
    const letter = letterAt.get(`${r},${c}`);
    return { group: letter, label: letter, fill: colorOf(letter) };
  });
  const onProgress = (count) => show(`${plural(count, "solution")} so far …`);
  const { count } = await cover.count({ stop, onProgress });
  show(`${plural(count, "solution")} for these ${plural(cells.length, "cell")}.`);
});

function resizeBox(rows, columns) {
  const size = { rows: Math.min(12, Math.max(1, Math.round(rows) || 1)), columns: Math.min(20, Math.max(1, Math.round(columns) || 1)) };
  if (size.rows !== box.rows || size.columns !== box.columns) changeBox(Object.assign(box, size));
}

/** Solve the changed box, and write it into the address. */
function changeBox() {
  solveBox();
  remember("box", { size: `${box.rows}x${box.columns}`, removed: [...box.removed].join(" ") });
}

function startBox() {
  const [board, corner] = [byId("box-board"), byId("box-corner")];
  const isRemoved = (cell) => cell.classList.contains("none");
  const toggle = (cell, removes) => {
    if (isRemoved(cell) === removes) return;
    box.removed[removes ? "add" : "delete"](`${cell.dataset.row},${cell.dataset.column}`);
    changeBox();
  };
  const cellAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("#box-board > button");
  on(board, "pointerdown", (event) => {
    const cell = cellAt(event);
    if (cell) toggle(cell, (box.draws = !isRemoved(cell)));
  });
  on(board, "pointermove", (event) => box.draws !== null && cellAt(event) && toggle(cellAt(event), box.draws));
  for (const name of ["pointerup", "pointercancel"]) on(window, name, () => (box.draws = null));
  on(board, "click", ({ detail, target }) => detail || toggle(target, !isRemoved(target))); // by the keyboard: 0
  on(board, "keydown", (event) => moveFocus(event, [...board.children], box.columns));
  on(board, "focusin", (event) => moveTabStop(event, [...board.children]));
  on(corner, "pointerdown", (event) => corner.setPointerCapture(event.pointerId));
  on(corner, "pointermove", (event) => {
    if (!corner.hasPointerCapture(event.pointerId)) return;
    const [{ left, top }, { width }] = [board, board.firstChild].map((node) => node.getBoundingClientRect());
    resizeBox(Math.round((event.clientY - top) / width), Math.round((event.clientX - left) / width));
  });
  const sizes = [byId("box-rows"), byId("box-columns")];
  for (const input of sizes) on(input, "change", () => resizeBox(...sizes.map((each) => each.valueAsNumber)));
  on(byId("box-reset"), "click", () => changeBox(box.removed.clear()));
  solveBox();
}

/** Move the focus by an arrow key. One cell of a board is a Tab stop. */
function moveFocus(event, cells, columns) {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
  const next = step && cells[cells.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.select?.();
}

/** Let the cell with the focus be the Tab stop of its board. */
function moveTabStop({ target }, cells) {
  if (cells.includes(target)) for (const cell of cells) cell.tabIndex = cell === target ? 0 : -1;
}

// The state of a section in the address

let addressTimer = 0;
const addressOf = (section, values) => `#${section}${values ? `&${new URLSearchParams(values)}` : ""}`;

/** Write what a section states, or only its name, into the address of the page, after a while. */
function remember(section, values) {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => history.replaceState(null, "", addressOf(section, values)), 200);
}

const RESTORE = {
  box: ({ size = "8x8", removed = "" }) => {
    const [rows, columns] = size.split("x").map(Number);
    box.removed = new Set(removed.split(" ").filter(Boolean));
    resizeBox(rows, columns);
    solveBox();
  },
  sudoku: ({ puzzle = "", size = "3x3", rules = "classic" }) => {
    const isSquare = /^(\d)x\1$/.test(size);
    if (Object.hasOwn(RULES, rules) && (rules !== "windows" || isSquare) && byId("size").querySelector(`[value="${CSS.escape(size)}"]`)) setBoard(size, rules);
    setPuzzle(puzzle);
  },
  cover: ({ problem = "", limit = "3" }) => {
    Object.assign(byId("problem"), { value: problem });
    Object.assign(byId("limit"), { value: limit });
    byId("gallery").value = "";
    if (dlx) solveCover(false);
  },
};

/** Restore the section whose state is in the address. */
function restore() {
  const [section, ...rest] = location.hash.slice(1).split("&");
  if (!rest.length || !Object.hasOwn(RESTORE, section)) return;
  RESTORE[section](Object.fromEntries(new URLSearchParams(rest.join("&"))));
  byId(section).scrollIntoView();
}

// One puzzle

let board = sudokuBoard(3, 3);
let inputs = [], overlays = [];
const hint = {}; // candidates that steps removed, the digit of the last one, what it marks, and the deduction
const newHint = () => ({ struck: new Set(), placed: null, marks: new Map(), search: null, problem: null });

/** Show an empty board, whose size is that of a box, such as 3x3. */
function setBoard(size, rules) {
  const [rows, columns] = size.split("x").map(Number);
  board = sudokuBoard(rows, columns, rules);
  const { n } = board;
  Object.assign(byId("size"), { value: size });
  Object.assign(byId("rules"), { value: rules });
  const names = Array.from({ length: n * n }, (_, k) => `row ${Math.floor(k / n) + 1}, column ${(k % n) + 1}`);
  inputs = names.map((ariaLabel, k) => make("input", { inputMode: n > 9 ? "text" : "numeric", ariaLabel, tabIndex: k ? -1 : 0 }));
  overlays = inputs.map(() => make("span", { ariaHidden: "true" }));
  const labels = inputs.map((input, k) => {
    const [r, c] = [Math.floor(k / n) + 1, (k % n) + 1];
    const sides = { right: [c, columns], bottom: [r, rows] };
    const edges = Object.entries(sides).map(([side, [at, every]]) => (at === n ? `last-${side}` : at % every ? "" : `edge-${side}`));
    return make("label", { className: [...edges, board.marked.has(k) ? "marked" : ""].join(" ") }, overlays[k], input);
  });
  byId("sudoku-board").style.setProperty("--n", n);
  byId("sudoku-board").style.setProperty("--across", Math.ceil(Math.sqrt(n)));
  byId("sudoku-board").replaceChildren(...labels);
  const why = isClassic() ? "" : "Generate and Difficulty are for classic boards of 9×9.";
  if (dlx) disable(["difficulty", "generate"].map(byId), why, "sudoku-gray");
}

const isClassic = () => board.n === 9 && board.rule === "classic";

function setPuzzle(text) {
  inputs.forEach((input, k) => (input.value = board.symbols.includes(text[k] || " ") ? text[k] : ""));
  Object.assign(hint, newHint());
  findSudokuStep.cancel();
  showHint("");
  checkPuzzle();
}

/** Show the next step in words, and mark its cell; the digit of the step before is written first. */
function takeSudokuStep() {
  if (hint.placed) {
    const { struck, search, problem, placed: [cell, symbol] } = hint;
    inputs[cell].value = symbol;
    changePuzzle();
    Object.assign(hint, { struck, search, problem });
  }
  findSudokuStep();
}

const findSudokuStep = latest("sudoku-hint", async (stop, show) => {
  const values = inputs.map((input) => input.value);
  if (values.every(Boolean)) return showHint("The board is full.");
  if (inputs.some((_, k) => values[k] && contradicts(board, values, k, values[k]))) return showHint("The digits contradict each other.");
  if (!hint.search) {
    const problem = sudokuProblem(board, values);
    const given = [...problem.titles.keys()].filter((k) => values[problem.titles[k][0]]);
    const search = new dlx.Deduction(problem.options, { ...problem, given, techniques: techniquesOf(board, problem, values) });
    Object.assign(hint, { problem, search });
  }
  const { problem, search } = hint;
  show("Searching …");
  const step = await search.next({ stop });
  if (stop.aborted) return;
  if (!step) return showHint(describeEnd({ ...problem, ...boardWords(board) }, search));
  const isPlaced = step.chosen !== null;
  if (!isPlaced) for (const k of step.removed) hint.struck.add(problem.titles[k].join("="));
  hint.placed = isPlaced ? problem.titles[step.chosen] : null;
  const [shown, mark] = isPlaced ? [[step.chosen], "placed"] : [step.removed, "removed"];
  hint.marks = new Map(shown.map((k) => [problem.titles[k].join("="), mark]));
  showHint(describeSudokuStep(board, problem, step).replaceAll(/ (?=Case [.\d]+,)/g, "\n"), shown, problem);
  checkPuzzle();
});

function showHint(text, options = [], { titles } = {}) {
  report("sudoku-hint", text);
  if (!options.length) hint.marks = new Map();
  const cells = new Set(options.map((k) => titles[k][0]));
  inputs.forEach((input, k) => input.parentElement.classList.toggle("hinted", cells.has(k)));
}

/** Return the number of solutions, up to a limit, the first one as text, and the difficulty, if known. */
async function solveBoard(values, stop) {
  if (isClassic()) {
    const puzzle = values.map((value) => value || ".").join("");
    const { counts, solutions } = await dlx.solve([puzzle], { limit: 1001, stop });
    const difficulty = Number(counts[0]) === 1 ? (await dlx.rate([puzzle], { stop }))[0].difficulty : "";
    return { count: Number(counts[0]), solution: solutions[0], difficulty };
  }
  await new Promise((resolve) => setTimeout(resolve)); // so that the symbol is drawn first
  if (stop.aborted) return { count: 0 };
  const problem = sudokuProblem(board, values);
  const covers = await new dlx.ExactCover(problem.options, problem).solve(1001, { stop });
  const solution = [...values];
  for (const k of covers[0] ?? []) solution[problem.titles[k][0]] = problem.titles[k][1];
  return { count: covers.length, solution, difficulty: "" };
}

/** Return how many solutions there are, in words. */
const countSolutions = (count) => ["No solution.", "Exactly one solution."][count] ?? (count > 1000 ? "More than 1,000 solutions." : `${count} solutions.`);

/** Throw an error if digits contradict each other. */
function rejectContradictions(values) {
  if (!values.some((value, k) => value && contradicts(board, values, k, value))) return;
  const reason = board.rule === "classic" ? "repeat in a row, a column or a box" : "contradict the rules";
  throw new Error(`No solution: the underlined digits ${reason}.`);
}

const checkPuzzle = latest("sudoku-result", async (stop, show, ifFull = "The board is full, and no digit contradicts another one.") => {
  const values = inputs.map((input) => input.value);
  const draw = (solution) => overlays.forEach((overlay, k) => {
    const markOf = (symbol) => hint.marks.get(`${k}=${symbol}`) ?? "";
    const isLeft = (symbol) => markOf(symbol) || !(contradicts(board, values, k, symbol) || hint.struck.has(`${k}=${symbol}`));
    const isMarked = [...board.symbols].some(markOf);
    const left = byId("candidates").checked || isMarked ? [...board.symbols].map((symbol) => (isLeft(symbol) ? symbol : "")) : [];
    const texts = solution && byId("solution").checked ? [solution[k]] : left;
    overlay.className = texts.length > 1 ? "several" : "";
    overlay.replaceChildren(...(values[k] ? [] : texts.map((text) => make("b", { className: markOf(text) }, text))));
  });
  draw(null);
  inputs.forEach((input, k) => input.classList.toggle("wrong", values[k] !== "" && contradicts(board, values, k, values[k])));
  rejectContradictions(values);
  if (values.every(Boolean)) return show(ifFull);
  if (!dlx) return;
  show("Searching …");
  const { count, solution, difficulty } = await solveBoard(values, stop);
  if (stop.aborted) return;
  if (count) draw(solution);
  show(countSolutions(count) + (difficulty && ` Difficulty: ${difficulty}.`));
});

/** Fill in the solution, if there is exactly one. */
const solveSudoku = latest("sudoku-result", async (stop, show) => {
  const values = inputs.map((input) => input.value);
  rejectContradictions(values);
  show("Searching …");
  const { count, solution } = await solveBoard(values, stop);
  if (stop.aborted) return;
  if (count !== 1) return show(`${countSolutions(count)}${count ? " Solve fills in the only one: write more digits." : ""}`);
  // The address of the puzzle stays in the history, the page of the solution follows it.
  const puzzle = addressOf("sudoku", sudokuState());
  history.replaceState(null, "", puzzle);
  changePuzzle([...solution].join(""));
  const solved = addressOf("sudoku", sudokuState());
  if (solved !== puzzle) history.pushState(null, "", solved);
  checkPuzzle("Solved. Going back in the browser returns to the puzzle.");
});

const generatePuzzle = latest("sudoku-result", async (stop, show) => {
  show("Generating …");
  const options = { difficulty: byId("difficulty").value, seed: crypto.getRandomValues(new Uint32Array(1))[0] };
  const [puzzle] = await dlx.generate(1, { ...options, stop });
  if (!stop.aborted) changePuzzle(puzzle);
});

/** Set the puzzle, and write it into the address. */
function changePuzzle(text = sudokuState().puzzle) {
  setPuzzle(text);
  remember("sudoku", { ...sudokuState(), puzzle: text });
}

const sudokuState = () => ({ puzzle: inputs.map((input) => input.value || ".").join(""), size: byId("size").value, rules: byId("rules").value });

/** Show a pasted puzzle, whose length tells the size of the board. Return whether its symbols fit. */
function pastePuzzle(text) {
  const n = Math.sqrt(text.length);
  const size = [...byId("size").options].find((option) => option.text === `${n}×${n}`)?.value;
  const symbols = SYMBOLS.slice(0, n).toLowerCase();
  const cells = [...text.toLowerCase()].map((mark) => (/[.*_x?0]/.test(mark) ? "." : mark));
  if (!size || cells.some((mark) => mark !== "." && !symbols.includes(mark))) return false;
  rejectUnclearZero(text, n);
  if (n !== board.n) setBoard(size, byId("rules").value);
  changePuzzle(cells.join("").toUpperCase());
  return true;
}

function startSudoku() {
  const node = byId("sudoku-board");
  byId("rules").append(...Object.entries(RULES).map(([value, text]) => make("option", { value }, text)));
  on(node, "input", ({ target }) => {
    target.value = [...target.value.toUpperCase()].filter((symbol) => board.symbols.includes(symbol)).at(-1) ?? "";
    changePuzzle();
  });
  on(node, "keydown", (event) => moveFocus(event, inputs, board.n));
  on(node, "focusin", (event) => moveTabStop(event, inputs));
  on(node, "paste", (event) => {
    const text = event.clipboardData.getData("text").replace(/[\s|+-]/g, "");
    if (text.length < 2) return;
    event.preventDefault();
    try {
      if (!pastePuzzle(text)) throw new Error(`A puzzle has 16, 36, 64, 81, 100, 144 or 256 digits, letters or dots, and not ${plural(text.length, "character")} such as these.`);
    } catch (error) {
      report("sudoku-result", error.message, true);
    }
  });
  for (const id of ["candidates", "solution"]) on(byId(id), "change", () => checkPuzzle());
  for (const id of ["size", "rules"]) on(byId(id), "change", () => {
    const text = id === "rules" ? sudokuState().puzzle : "";
    try {
      setBoard(byId("size").value, byId("rules").value);
    } catch (error) { // the rule does not suit the size: the board stays
      Object.assign(byId("size"), { value: `${board.rows}x${board.columns}` });
      Object.assign(byId("rules"), { value: board.rule });
      return report("sudoku-result", error.message, true);
    }
    changePuzzle(text);
  });
  on(byId("clear"), "click", () => changePuzzle(""));
  on(byId("generate"), "click", () => generatePuzzle());
  on(byId("sudoku-step"), "click", takeSudokuStep);
  on(byId("sudoku-solve"), "click", () => solveSudoku());
  on(byId("sudoku-stop"), "click", () => [solveSudoku, findSudokuStep].forEach((task) => task.stop()));
  setBoard("3x3", "classic");
  setPuzzle("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..");
}

// Files of puzzles

const BATCH = 1 << 16; // puzzles
const MAX_BAD = 10; // lines that cannot be read and are shown

const PUZZLE = /^[1-9.]{81}$/;
const quoted = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const REMARKS = { unique: "", multiple: " # 2 or more solutions", none: " # no solution" };
const FORMATS = {
  line: ({ file, line, puzzle, solution, status, reason }) =>
    reason ? `# unreadable: ${file}:${line}: ${reason}` : (solution ?? puzzle) + REMARKS[status],
  csv: ({ puzzle, solution, count, status, file, line, nodes, reason }) =>
    [puzzle, solution ?? quoted(reason ?? ""), count, status, quoted(file), line, nodes].join(),
  json: ({ puzzle, solution, count, status, file, line, nodes, reason }) =>
    JSON.stringify({ puzzle, solution, count, status, file, line, nodes, reason }),
};

/** Yield the lines of a file in batches, each with the number of its first line and the bytes read. */
async function* readLines(source) {
  let [lines, first, bytes, rest] = [[], 1, 0, ""];
  const decoder = new TextDecoder();
  for (const reader = source.stream().getReader(); ; ) {
    const { done, value } = await reader.read();
    bytes += value?.length ?? 0;
    const text = rest + decoder.decode(value, { stream: !done });
    const parts = text.split(/\r\n?(?!$)|\n/); // a carriage return at the end may precede a line feed
    rest = done ? "" : parts.pop();
    for (const part of parts) lines.push(part);
    if (!done && lines.length < BATCH) continue;
    yield { lines, first, bytes };
    if (done) return;
    [first, lines] = [first + lines.length, []];
  }
}

/** Return the separator of a table, the column of its puzzles and its width, if a line is its header; see `read_header`. */
function readHeader(text) {
  if (/[0-9.]{8}/.test(text)) return null;
  const counts = SEPARATORS.map((separator) => text.split(separator).length);
  const separator = SEPARATORS[counts.indexOf(Math.max(...counts))];
  const titles = splitRow(text, separator).map((title) => title.toLowerCase());
  const [puzzles, solutions] = bundle.titles.map((names) => names.find((name) => titles.includes(name)));
  const column = titles.indexOf(puzzles ?? (titles.includes("givens") && !titles.includes("singles") ? "givens" : solutions));
  return column < 0 ? null : { separator, column, width: titles.length };
}

/** Return the record of a line: its puzzle, or why it has none; null if it is blank, a comment or a header, which becomes `state.table`. */
function readRecord(file, line, text, state) {
  if (PUZZLE.test(text)) return { file, line, puzzle: text, solution: null, count: null };
  const content = text.trim();
  if (!content || content.startsWith("#")) return null;
  const header = readHeader(content);
  if (header) return (state.table = header), null;
  const { separator, column, width } = state.table ?? {};
  const cells = separator && text.includes(separator) ? splitRow(text, separator) : null;
  const word = cells ? cells[column] ?? "" : content.split(/[\s,;]/)[0];
  const puzzle = word.replace(/[0*_x?-]/gi, ".");
  const empty = { file, line, puzzle: null, solution: null, count: null };
  if (cells?.slice(width).some(Boolean)) return { ...empty, status: "unreadable", reason: `the row has ${cells.length} fields, and the table has ${width} columns`, nodes: null };
  if (!word) return { ...empty, status: "unreadable", reason: `no board in column ${column + 1} of the table`, nodes: null };
  if (PUZZLE.test(puzzle)) return { ...empty, puzzle };
  const bad = puzzle.search(/[^1-9.]/);
  const reason = bad >= 0 ? `invalid symbol '${word[bad]}' in column ${bad + 1}` : `${word.length} cells instead of 81`;
  return { ...empty, status: "unreadable", reason, nodes: null };
}

const solvePuzzles = latest("files-result", async (stop, show, source) => {
  const [bar, link, format, started] = [byId("progress"), byId("download"), byId("format").value, performance.now()];
  const [numbers, bad, texts, state] = [{ unique: 0, multiple: 0, none: 0, unreadable: 0 }, [], [], { table: null }];
  if (format === "csv") texts.push("puzzle,solution,count,status,file,line,nodes\n");
  show("Solving …");
  bar.hidden = !(link.hidden = true);
  bar.value = 0;
  byId("unreadable").replaceChildren();
  try {
    for await (const { lines, first, bytes } of readLines(source)) {
      const name = source.name ?? "<pasted>";
      const records = lines.map((text, k) => readRecord(name, first + k, text, state)).filter(Boolean);
      const solved = records.filter((record) => record.puzzle);
      const found = await dlx.solve(solved.map((record) => record.puzzle), { limit: 2, workers: navigator.hardwareConcurrency, stop });
      solved.forEach((record, k) => {
        const [count, nodes, solution] = [found.counts[k], found.guesses[k], found.solutions[k] || null];
        Object.assign(record, { solution, count, status: ["none", "unique", "multiple"][count], nodes });
      });
      for (const { status, line, reason } of records) {
        numbers[status]++;
        if (reason && bad.length < MAX_BAD) bad.push(`Line ${line}: ${reason}.`);
      }
      texts.push(new Blob([records.map((record) => `${FORMATS[format](record)}\n`).join("")]));
      if (stop.aborted) return;
      bar.value = bytes / source.size || 0;
      show(`${grouped(records.at(-1)?.line ?? 0)} lines …`);
    }
  } finally {
    bar.hidden = (running["files-result"]?.signal ?? stop) === stop; // unless another call has begun
  }
  const total = Object.values(numbers).reduce((sum, number) => sum + number);
  if (!total) return show("There are no puzzles.");
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const counted = Object.entries(numbers).filter(([, number]) => number).map(([status, number]) => `${grouped(number)} ${status}`);
  show(`${plural(total, "puzzle")}: ${counted.join(", ")} (${seconds} seconds).`);
  const more = numbers.unreadable - bad.length;
  if (more) bad.push(`${plural(more, "more line")} cannot be read: the results name them.`);
  byId("unreadable").replaceChildren(...bad.map((line) => make("li", { className: "error" }, line)));
  URL.revokeObjectURL(link.href);
  const download = `solved.${{ line: "txt", csv: "csv", json: "ndjson" }[format]}`;
  Object.assign(link, { href: URL.createObjectURL(new Blob(texts)), download, hidden: false });
});

function startFiles() {
  const [drop, file, puzzles] = ["drop", "file", "puzzles"].map(byId);
  const solve = () => solvePuzzles(file.files[0] ?? new Blob([puzzles.value]));
  on(byId("solve"), "click", solve);
  on(file, "change", solve);
  on(puzzles, "input", () => (file.value = ""));
  on(byId("files-stop"), "click", () => solvePuzzles.stop());
  for (const name of ["dragover", "dragleave", "drop"]) on(drop, name, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", name === "dragover");
    if (name !== "drop" || !event.dataTransfer.files[0]) return;
    [file.files, puzzles.value] = [event.dataTransfer.files, ""]; // which Solve solves again
    solve();
  });
}

// Exact cover

/** Mark the line of an error in the statement, and return the error with its line. */
function located(error, problem) {
  const number = error.line ?? problem?.lines[error.option]?.[0];
  const lines = byId("problem").value.split("\n");
  const title = problem?.titles?.[error.option];
  if (lines[number - 1] === undefined) return title === undefined ? error : new Error(error.message.replace(/^option \d+/, () => `option ${title}`)); // perhaps in a text within JSON
  const start = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
  byId("problem").setSelectionRange(start, start + lines[number - 1].length);
  return at(number, error.message.replace(/^Line \d+: |^option \d+: |\.$/g, ""));
}

/** Return the problem in a text; those of the gallery have their pictures and names. */
function readProblem(text) {
  const problem = parseProblem(text);
  const { titles, words, view = problem.view } = bundle.gallery.find(([, own]) => own === text)?.[2] ?? {};
  const multiplicity = Object.assign(Object.create(null), problem.multiplicity); // an item may be called constructor
  return { ...problem, multiplicity, view, titles: titles ?? problem.titles, words: problem.words ?? readWords(words ?? view?.words) };
}

const solveCover = latest("cover-result", async (stop, show, isCount) => {
  byId("covers").replaceChildren();
  deduction.text = null; // the next step is the first one again
  show("Searching …");
  let problem, cover;
  try {
    problem = readProblem(byId("problem").value);
    cover = new dlx.ExactCover(problem.options, problem);
  } catch (error) {
    throw located(error, problem);
  }
  const limit = isCount ? 1 : Math.min(1000, Math.max(1, Math.floor(byId("limit").valueAsNumber) || 1));
  if (problem.costs || problem.totals?.length) return findWithin(problem, cover, limit, stop, show);
  const covers = await cover.solve(limit, { stop });
  if (stop.aborted) return;
  byId("covers").replaceChildren(...(covers.length ? drawCovers(problem, covers) : explain(problem, "option", "items")));
  const found = plural(covers.length, "cover");
  const first = covers.length === 1 ? "The first cover" : `The first ${found}`;
  show(!covers.length ? "There is no cover." : `${covers.length < limit ? found : first}.`);
  if (!isCount || !covers.length) return;
  const onProgress = (count) => show(`${plural(count, "cover")} so far …`);
  const { count, nodes, complete } = await cover.count({ stop, onProgress });
  if (complete) show(`${plural(count, "cover")}, ${plural(nodes, "node")} of the search tree.`);
});

/** Try all covers: show those of lowest cost that are within the totals, and count these. */
async function findWithin(problem, cover, limit, stop, show) {
  const { costs, sign = 1 } = problem;
  const costOf = (chosen) => (costs ? chosen.reduce((sum, k) => sum + costs[k], 0) : 0);
  let [best, nWithin] = [[], 0];
  const compare = (chosen) => {
    if (!isWithinTotals(problem, chosen)) return;
    nWithin++;
    const cost = costOf(chosen);
    if (best.length === limit && cost >= best.at(-1).cost) return;
    best = [...best, { chosen, cost }].sort((a, b) => a.cost - b.cost).slice(0, limit);
  };
  const onProgress = () => show(`${plural(nWithin, "cover")} so far …`);
  const { complete } = await cover.run(Infinity, { stop, onProgress }, compare);
  if (!complete && !best.length) return;
  byId("covers").replaceChildren(...drawCovers(problem, best.map(({ chosen }) => chosen)));
  const limited = problem.totals?.length ? " within the totals" : "";
  if (!best.length) return show(`There is no cover${limited}.`);
  const known = !costs ? "" : ` ${complete ? "Lowest cost" : "Best known cost"}: ${grouped(sign * best[0].cost)}.`.replace(sign < 0 ? "Lowest cost" : "", sign < 0 ? "Highest value" : "");
  report("cover-result", `${plural(nWithin, "cover")}${limited}${complete ? "" : " so far"}.${known}`);
}

const deduction = { text: null, search: null, problem: null };

/** Show the next step that follows from the problem, below those before, and the options that are chosen. */
const takeCoverStep = latest("cover-result", async (stop, show) => {
  const text = byId("problem").value;
  if (deduction.text !== text) {
    let problem;
    try {
      problem = readProblem(text);
      Object.assign(deduction, { text, problem, search: new dlx.Deduction(problem.options, problem) });
    } catch (error) {
      throw located(error, problem);
    }
    byId("covers").replaceChildren(make("ol"), make("div"));
  }
  const { problem, search } = deduction;
  const [list, picture] = byId("covers").children;
  show("Searching …");
  const step = await search.next({ stop });
  if (stop.aborted) return;
  show(step ? "" : describeEnd(problem, search).replaceAll("`", ""));
  if (step) list.append(make("li", {}, ...withCode(describeStep(problem, step))));
  picture.replaceChildren(...drawCovers(problem, [search.chosen]));
});

/** Return the nodes of a text in which backticks enclose code. */
const withCode = (text) => text.split("`").map((part, k) => (k % 2 ? make("code", {}, part) : part));

function drawCovers(problem, covers) {
  const board = findBoard(problem);
  return covers.map((chosen) => {
    const look = board && lookAt(board, problem.options, chosen);
    const titles = titlesOf(problem);
    const texts = chosen.map((number) => titles[number]);
    if (!look) return make("ul", {}, ...texts.map((text) => make("li", {}, text)));
    const picture = make("div", { className: "board", role: "img", ariaLabel: texts.join("; ") });
    drawBoard(picture, board, look);
    return picture;
  });
}

function startCover() {
  const [select, statement] = [byId("gallery"), byId("problem")];
  select.append(...bundle.gallery.map(([name]) => make("option", {}, name)));
  const choose = () => {
    statement.value = bundle.gallery.find(([name]) => name === select.value)?.[1] ?? "";
    if (statement.value) solveCover(false);
  };
  const share = () => remember("cover", statement.value.length <= MAX_SHARED ? { problem: statement.value, limit: byId("limit").value } : null);
  on(select, "change", () => {
    choose();
    share();
  });
  on(byId("limit"), "change", share);
  on(statement, "input", () => {
    select.value = "";
    solveCover.stop();
    share();
  });
  on(byId("find"), "click", () => solveCover(false));
  on(byId("count"), "click", () => solveCover(true));
  on(byId("cover-step"), "click", () => takeCoverStep());
  on(byId("cover-stop"), "click", () => solveCover.stop());
  select.value = "queens";
  choose();
}

const MAX_SHARED = 8000; // characters of a problem in the address

async function start() {
  try {
    dlx = await loadKernels();
  } catch (error) {
    whyNotLoaded = error.message;
    report("note", error.message, true);
  }
  startBox();
  startSudoku();
  if (dlx) [startFiles, startCover].forEach((each) => each());
  else for (const section of ["sudoku", "files", "cover"]) disable(document.querySelectorAll(`#${section} :is(button:not(#clear), #difficulty, #solution)`), `The gray controls need the kernels. ${whyNotLoaded}`, `${section}-gray`);
  restore();
  on(window, "hashchange", restore);
  on(byId("share"), "click", async () => {
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    const without = byId("problem").value.length > MAX_SHARED && location.hash === "#cover" ? ` It does not contain the problem, which has more than ${grouped(MAX_SHARED)} characters.` : "";
    report("note", (copied ? "The link is copied." : `The link: ${location.href}`) + without);
  });
  document.body.classList.add("ready");
}

start();
