"use strict";

// Exact cover problems without their search: texts, colorings and pieces. Functions of this file use
// no document; see steps.js for what follows from a problem.

const NOT_READ = "the page reads Knuth's format, sets, a matrix of 0 and 1, JSON, a Sudoku board, or a board and pieces; the command dlx-numba solve reads more";
const SEVERAL_BOARDS = "there are several Sudoku puzzles, which the section of files of puzzles solves";
const NOT_THIS_KIND = (kind) => `a puzzle of the kind ${kind}, which the page does not read; the command dlx-numba solve does`;

/**
 * Return the problem in a text: Knuth's format, sets such as S1 = {A, B}, rows of 0 and 1, JSON, a
 * Sudoku board, or a board and pieces.
 */
function parseProblem(stated) {
  const text = stated.replace(/^\ufeff/, "");
  if (/^\s*[[{]/.test(text)) return parseJson(text);
  if (/^\s*<|^https?:|^(c.*\n)*p \w+ \d/.test(text)) throw at(1, NOT_READ);
  const blocks = splitPieces(text);
  if (blocks) return parsePieces(blocks);
  const board = parseBoard(text.replace(/^.*\n/, (line) => (TITLE.test(line) ? "" : line)));
  if (board) return board;
  const numbered = text.split(/\r\n?|\n/).map((line, k) => [k + 1, line.trim()]);
  const all = numbered.filter(([, line]) => line && !line.startsWith("|"));
  const lines = all.filter(([, line]) => !line.startsWith("#"));
  const [first, head] = lines[0] ?? [1, ""];
  if (!head) throw at(first, "the problem is empty");
  if (lines.length > 1 && lines.slice(0, 2).every(([, line]) => parseBoard(line.split(/[\s,;]/)[0]))) throw at(first, SEVERAL_BOARDS);
  const bare = lines.map(([number, line]) => [number, line.replace(/\s#.*/, "")]);
  const marks = bare.map(([number, line]) => [number, line.match(/[01]/g)]);
  const names = head.split(/\s+/); // of items such as 0,0 and 0,1, unless the text is a matrix
  const isMatrix = new Set(names).size < names.length || names.length === 1 || marks.every(([, row]) => row?.length === marks[0][1]?.length);
  if (isMatrix && bare.every(([, line]) => /^[01][01 ,;\t]*$/.test(line))) return parseMatrix(marks);
  const table = splitTable(text);
  const read = table && parseTable(table);
  if (read) return read;
  if (/^(universe\s+)?[^\s={}]+\s*=\s*\{/i.test(head)) return parseSets(lines);
  const titled = parseTitled(lines.map(([number, line]) => [number, line.split(/\s+/)]));
  if (titled) return titled;
  const plain = all.filter(([, line]) => !/^#(\s|$)/.test(line)); // #a may be an item
  const listing = plain[0][1].split(/\s+/);
  const knuth = listing.includes("#") ? all.slice(all.indexOf(plain[0])) : plain;
  const listed = listing.map((token) => token.replace(/^(\d+:)?\d+\|(?=.)/, ""));
  const isKnown = (token) => listed.includes(token.split(":")[0]);
  if (!knuth.slice(1).some(([, line]) => line.split(/\s+/).some(isKnown))) throw table ? errorOfTable(table) : at(knuth[1]?.[0] ?? first, NOT_READ);
  return parseKnuth(knuth);
}

const SET = /^(?:(universe)(?=[\s=])\s*)?([^\s={}[\]:;,"]*)\s*=\s*\{([^{}]*)\}\s*[,;]?$/i;

/** Return the problem of sets such as S1 = {A, B}, one on each line; see `parse_sets`. */
function parseSets(numbered) {
  let universe = null;
  const sets = [];
  for (const [number, line] of numbered) {
    const [, word, name, text] = line.match(SET) ?? [];
    if (text === undefined || !(word || name)) throw at(number, "expected a set such as S1 = {A, B}");
    const elements = text.trim() ? text.split(/,(?![^(]*\))/).map((element) => element.trim()) : [];
    const bad = elements.find((element) => !element || /^'|[";…()]|\.\.|\S\s+\S/.test(element.replace(/\([^()]*\)/g, "")));
    if (bad) throw at(number, `the page does not read the element ${bad}: write all items, between commas, without quotes`);
    if (bad === "") throw at(number, "the name of an item is missing");
    const repeated = repeatedIn(elements);
    if (repeated !== undefined) throw at(number, `item ${repeated} appears twice`);
    if (word && universe) throw at(number, "a second universe");
    if (word) universe = elements;
    else sets.push([name, elements, number]);
  }
  if (!universe && findUniverse(sets) === 0 && sets.length > 1 && ["U", "X"].includes(sets[0][0].normalize("NFKC"))) [[, universe]] = sets.splice(0, 1);
  const [unclear, , where] = (!universe && sets[findUniverse(sets)]) || [];
  if (unclear !== undefined) throw at(where, `is ${unclear} the universe or an option? Write 'universe = {...}' for the set of all items, as the first line`);
  const [titles, options] = [0, 1].map((k) => sets.map((set) => set[k]));
  const lines = sets.map(([, , number]) => [number, ""]);
  const names = new Set();
  titles.forEach((name, k) => {
    if (names.size === names.add(name).size) throw at(lines[k][0], `a second option has the name ${name}`);
  });
  const uses = new Map();
  for (const item of [...(universe ?? []), ...options.flat()]) uses.set(item, (uses.get(item) ?? 0) + 1);
  const listing = options.findIndex((elements) => elements.length > 1 && elements.every((item) => names.has(item) && uses.get(item) === 1));
  if (listing >= 0) throw at(lines[listing][0], `${titles[listing]} has names of sets: leave it out if it is their collection`);
  return { items: universe ?? [...new Set(options.flat())], secondary: [], options, titles, lines };
}

/** Return the problem of a matrix, whose rows consist of the marks 0 and 1 and have line numbers. */
function parseMatrix(rows, items = rows[0][1].map((_, k) => `${k}`), titles = rows.map((_, k) => `row ${k}`)) {
  const options = rows.map(([number, row]) => {
    if (row.length !== items.length) throw at(number, `the row has ${row.length} columns instead of ${items.length}`);
    return row.flatMap((mark, k) => (mark === "1" ? [items[k]] : []));
  });
  return { items, secondary: [], options, lines: rows, titles };
}

const MARK = /^(|\.|[01](\.0)?|[xX✓✔]|true|false)$/i; // of `CELL_VALUES`

/** Return the problem of a matrix with the titles of columns, and perhaps of rows, as `cover --header` does; null for other rows. */
function parseTitled([[, head], ...rows]) {
  const isMark = (cell) => /^[01]?$/.test(cell);
  if (!rows.some(([, row]) => row.includes("1")) || head.every((cell) => /^\d*$/.test(cell))) return null;
  const hasNames = !head[0] || rows.some(([, row]) => !isMark(row[0]));
  if (head[0] && hasNames && rows.every(([, row]) => MARK.test(row[0]))) return null; // other marks than 0 and 1
  const items = hasNames && head.length === rows[0][1].length ? head.slice(1) : head;
  const marks = rows.map(([number, row]) => [number, hasNames ? row.slice(1) : row]);
  if (items.length < 2 || marks.some(([, row]) => row.length !== items.length || !row.every(isMark)) || new Set([...items, ""]).size <= items.length || items.some((name) => name.includes("|"))) return null;
  return parseMatrix(marks, items, hasNames ? rows.map(([, row]) => row[0]) : undefined);
}

/** Return the cells of a text in CSV, by rows with line numbers, or null for other texts. */
function splitTable(text) {
  const lines = text.split(/\r\n?|\n/).map((line, k) => [k + 1, line]).filter(([, line]) => line.trim() && !line.startsWith("#"));
  for (const separator of SEPARATORS) {
    const rows = lines.map(([number, line]) => [number, splitRow(line, separator)]);
    if (rows.length > 1 && rows[0][1].length > 1 && rows.every(([, row]) => row.length === rows[0][1].length)) return rows;
  }
  return null;
}

const SEPARATORS = [",", ";", "\t"];

/** Return the cells of a row in CSV. */
function splitRow(line, separator) {
  const cells = [...line.matchAll(new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}]*))(${separator}|$)`, "g"))];
  const end = cells.findIndex(([, , , after]) => !after); // an empty match may follow
  return cells.slice(0, end + 1).map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain).trim());
}

/** Return the problem of a table: a matrix with titles, or a Sudoku board; null for other tables. */
function parseTable(rows) {
  const [[first, head]] = rows;
  const grid = rows.map(([, row]) => row.map((cell) => SYMBOLS[cell - 1] ?? (cell || ".")).join(" ")).join("\n");
  const board = rows.length === head.length ? parseBoard(grid) : null;
  if (board) return board;
  const column = head.findIndex((_, k) => rows.slice(1, 3).every(([, row]) => parseBoard(row[k])));
  if (column >= 0 && (rows.length > 2 || parseBoard(head[column]))) throw at(first, SEVERAL_BOARDS);
  return column >= 0 ? parseBoard(rows[1][1][column]) : parseTitled(rows);
}

/** Return why the page does not read a table, and what does. */
function errorOfTable([[first, head]]) {
  const isPlain = head.every((title) => /^[a-z]\w*$/i.test(title));
  const command = `dlx-numba cover --items ${isPlain ? head.join() : "COLUMNS"} FILE.csv`;
  return at(first, `this is CSV, of which the page reads a matrix of 0 and 1, with titles or without, and a Sudoku board; the command ${command} reads a table whose rows list the items of options`);
}

const BOXES = { 4: [2, 2], 6: [2, 3], 8: [2, 4], 9: [3, 3], 10: [2, 5], 12: [3, 4], 16: [4, 4] }; // rows and columns

const TITLE = /^\W*\w*(puzzle|quiz|board|sudoku|question|givens|solution|id)\w*\W*(,|;|\t|$)/i; // of a column

/** Throw an error if the 0 of a board may be the least of n digits: other symbols are empty cells, and the largest digit is missing. */
function rejectUnclearZero(symbols, n) {
  if (!symbols.includes("0") || !/[.*_X?-]/i.test(symbols) || symbols.toUpperCase().includes(SYMBOLS[n - 1])) return;
  throw new Error("0 could be a digit, as other symbols are empty cells: write a dot for each empty cell, and digits from 1.");
}

/** Return the problem of a Sudoku board, which is a line or a grid of symbols, or null if a text is none. */
function parseBoard(text, rule = "classic") {
  const lines = text.split(/\r\n?|\n/).map((line) => line.replace(/[\s|]/g, "")).filter((line) => /[^-+=]/.test(line));
  const symbols = lines.join("").toUpperCase();
  const cells = [...symbols.replace(/[0*_X?-]/g, ".")];
  const n = Math.sqrt(cells.length);
  const isGrid = lines.length === 1 || lines.every((line) => line.length === n);
  const isCell = (symbol) => symbol === "." || SYMBOLS.slice(0, n).includes(symbol);
  if (!BOXES[n] || !isGrid || !cells.includes(".") || !cells.every(isCell) || /^[01]+$/.test(symbols)) return null;
  rejectUnclearZero(symbols, n);
  const board = sudokuBoard(...BOXES[n], rule);
  const values = cells.map((symbol) => symbol.replace(".", ""));
  const problem = sudokuProblem(board, values);
  const place = (cell) => [Math.floor(cell / n) + 1, (cell % n) + 1];
  const marks = problem.titles.map(([cell, symbol]) => [[place(cell), symbol]]);
  const [rows, columns] = BOXES[n];
  const regions = cells.map((_, cell) => [place(cell), `${Math.floor(cell / n / rows)} ${Math.floor((cell % n) / columns)}`]);
  return {
    ...problem, lines: [], view: { form: "grid", marks, regions },
    titles: marks.map(([[[r, c], symbol]]) => `r${r}c${c}=${symbol}`),
    given: problem.titles.flatMap(([cell], k) => (values[cell] ? [k] : [])),
    techniques: techniquesOf(board, problem, values), describeLack: boardWords(board).describeLack,
    describe: (step) => describeSudokuStep(board, problem, step),
  };
}

/** Return the problem of a board in JSON, which may state one rule. */
function parseJsonBoard({ puzzle, ...others }) {
  const rules = Object.keys(others).filter((key) => others[key] === true && key in RULES);
  const unknown = Object.keys(others).filter((key) => !rules.includes(key));
  if (unknown.length || rules.length > 1) throw new Error(`The page does not read ${(unknown.length ? unknown : rules.slice(1)).join(", ")} of a board.`);
  const board = parseBoard(String(puzzle), rules[0]);
  if (!board) throw new Error("This is not a board of a size that the page reads.");
  return board;
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const listOf = (fits) => (value) => Array.isArray(value) && value.every(fits);
const objectOf = (fits) => (value) => isObject(value) && Object.values(value).every(fits);
const pairOf = (first, second) => (value) => Array.isArray(value) && value.length === 2 && first(value[0]) && second(value[1]);
const either = (...shapes) => (value) => shapes.some((fits) => fits(value));
const isNull = (value) => value === null;
const isName = either(Number.isInteger, (value) => typeof value === "string");
const isNumber = either(Number.isFinite, (value) => /^-?\d+\/0*[1-9]\d*$/.test(typeof value === "string" ? value : ""));
const isLimit = either(Number.isInteger, isNull);
const isTotal = (value) => pairOf(isLimit, isLimit)(value?.slice?.(-2)) && (value.length === 2 || (value.length === 3 && either(listOf(Number.isInteger), objectOf(Number.isInteger))(value[0])));

const NAMES_SHAPE = [either(listOf(isName), isNull), "a list of strings and integers"];
const VALUES_SHAPE = [either(listOf(isNumber), objectOf(isNumber), isNull), "a list or an object of numbers"];
const COUNTS_SHAPE = [objectOf(Number.isInteger), "an object of integers"];
// What the values of the keys must be, as in `parse_json`
const JSON_SHAPES = new Map(Object.entries({
  items: NAMES_SHAPE, secondary: NAMES_SHAPE, given: NAMES_SHAPE, forbidden: NAMES_SHAPE,
  options: [either(Array.isArray, isObject), "a list or an object"],
  multiplicity: [objectOf(either(Number.isInteger, pairOf(Number.isInteger, isLimit))), "an object of integers and pairs [low, high]"],
  exactly: COUNTS_SHAPE, at_most: COUNTS_SHAPE, at_least: COUNTS_SHAPE, costs: VALUES_SHAPE, maximize: VALUES_SHAPE,
  penalty: [objectOf(isNumber), "an object of numbers"],
  totals: [objectOf(isTotal), "an object of [weights, low, high] or [low, high] in integers"],
  view: [either(isObject, (value) => typeof value === "string"), "a string or an object"],
}));
const JSON_SYNONYMS = new Map(Object.entries({ primary_items: "items", secondary_items: "secondary", optional: "secondary", rows: "options" }));

/** Return a number, which may be a ratio such as "1/3". */
function numberOf(value) {
  const [numerator, denominator = 1] = String(value).split("/");
  const number = numerator / denominator;
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw new Error(`The page does not add numbers such as ${value} exactly.`);
  return number;
}

/** Throw an error if an object in a valid JSON text has a key twice, of which `JSON.parse` keeps the last. */
function rejectRepeatedKeys(text) {
  const open = []; // the keys of each object, and null for each list
  for (const { 0: token, 1: key, index } of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if ("[{".includes(token)) open.push(token === "{" ? new Set() : null);
    else if ("]}".includes(token)) open.pop();
    if (!key) continue;
    const name = JSON.parse(key);
    if (open.at(-1).has(name)) throw at(text.slice(0, index).split("\n").length, `the key ${name} appears twice in a JSON object`);
    open.at(-1).add(name);
  }
}

const MAX_SHOWN = 60; // characters of a value

/** Return a JSON value as a text in a message. */
function shortened(value) {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Throw an error if a number and a text of a problem are written alike, as names are on the page. */
function rejectEqualTexts(names) {
  const texts = new Set(names.filter((name) => typeof name === "string"));
  const both = names.find((name) => typeof name === "number" && texts.has(String(name)));
  if (both !== undefined) throw new Error(`The page does not tell the number ${both} from the text "${both}".`);
}

/** Return the first text that appears a second time in a list, or undefined. */
function repeatedIn(texts) {
  const seen = new Set();
  return texts.find((text) => seen.size === seen.add(text).size);
}

/** Return the place of a set that contains all others and has the name of a universe, or -1; see `find_universe`. */
function findUniverse(sets) {
  const items = new Set(sets.flatMap(([, elements]) => elements.map(String)));
  const isAll = (elements) => new Set(elements.map(String)).size === items.size;
  return sets.findIndex(([name, elements]) => ["U", "X", "S", "UNIVERSE"].includes(name.normalize("NFKC").toUpperCase()) && isAll(elements));
}

/** Throw an error if one of several sets may be the universe. */
function rejectUniverse(sets) {
  const [name] = sets[findUniverse(sets)] ?? [];
  if (name !== undefined) throw new Error(`Is ${name} the universe or an option? For either, write {"items": [...], "options": {...}}.`);
}

/** Return the problem in a JSON object, as `ExactCover.read` does. */
function parseJson(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch ({ message }) {
    throw at(lineOfJsonError(text), `not valid JSON: ${message.replace(/, (\.\.\.)?"[^]*| in JSON.*/, "")}`);
  }
  rejectRepeatedKeys(text);
  if (Array.isArray(found) && found.length === 1 && found[0]?.constructor === Object) [found] = found;
  if (Array.isArray(found)) {
    const matrix = found.map((row) => (typeof row === "string" ? [...row] : [row].flat().map((mark) => `${typeof mark === "boolean" ? Number(mark) : mark}`)));
    const isMatrix = matrix.every((row, k) => found[k]?.length === matrix[0].length && row.every((mark) => /^[01]$/.test(mark)));
    if (found.length && matrix[0].length && isMatrix) return parseMatrix(matrix.map((row) => [1, row]));
    if (found.some((each) => each?.puzzle ?? each?.kind)) throw new Error(`This is a list of ${found.length} puzzles, of which the page reads one.`);
    throw new Error('This is a JSON list, of which the page reads a matrix of 0 and 1: a problem is an object with the key "options".');
  }
  const named = typeof found.kind === "string" ? found.kind : undefined;
  const { kind: _, problem: drawn, ...others } = found;
  if (named === "pieces") {
    const blocks = splitPieces(String(drawn ?? ""));
    if (!blocks) throw new Error('A puzzle of the kind pieces has a board and pieces as a text, {"kind": "pieces", "problem": "…"}.');
    return parsePieces(blocks);
  }
  if (named) found = named === "sudoku" && drawn ? { puzzle: drawn } : others;
  if (named === "sudoku" && found.puzzle === undefined) throw new Error('There is no board in the JSON object: write {"kind": "sudoku", "puzzle": "…"}.');
  if (found.puzzle !== undefined && (named ?? "sudoku") === "sudoku") return parseJsonBoard(found);
  const kind = named ?? bundle.collections[found.name] ?? bundle.keys.find(([keys]) => keys.every((key) => key in found))?.[1];
  if (bundle.kinds[kind] === false && kind !== "cover") throw new Error(`The kind ${kind} has examples only, of which the list above has some.`);
  if (bundle.kinds[kind]) throw new Error(`This is ${NOT_THIS_KIND(kind)}.`);
  if (named) throw new Error(`The page reads the kinds sudoku and pieces in JSON, not ${named}; an exact cover problem has no key kind.`);
  const nameOf = (key) => JSON_SYNONYMS.get(key) ?? key;
  const isBare = !Object.keys(found).some((key) => JSON_SHAPES.has(nameOf(key)));
  if (isBare) rejectUniverse(Object.entries(found).filter(([, row]) => Array.isArray(row)));
  const stated = Object.create(null); // a key may be called constructor
  for (const [key, value] of Object.entries(isBare ? { options: found } : found)) {
    const name = nameOf(key);
    if (!JSON_SHAPES.has(name)) throw new Error(`The page does not read ${key} in a JSON problem.`);
    const [fits, expected] = JSON_SHAPES.get(name);
    if (!fits(value)) throw new Error(`${key} must be ${expected}, not ${shortened(value)}.`);
    if (name in stated && name !== "secondary") throw new Error(`${name} and ${key} state the same.`);
    stated[name] = name in stated ? [...(stated[name] ?? []), ...(value ?? [])] : value;
  }
  if (!stated.options) throw new Error('There are no options in the JSON object: write {"options": …}.');
  const isNamed = !Array.isArray(stated.options);
  const rows = Object.entries(stated.options).map(([name, row]) => (isNamed || !isObject(row) ? [name, row] : [name, row.items, row.row_id]));
  for (const [name, row] of Object.entries(stated.options)) {
    const more = isNamed || !isObject(row) ? [] : Object.keys(row).filter((key) => !["items", "row_id"].includes(key));
    if (more.length) throw new Error(`Option ${name}: the page does not read ${more.join(", ")}.`);
  }
  const isEntry = either(isName, pairOf(isName, isName));
  const bad = rows.find(([, row]) => !listOf(isEntry)(row));
  if (bad) throw new Error(`Option ${bad[0]} must be a list of strings, integers and pairs [item, color], not ${shortened(bad[1])}.`);
  const isWeight = (entry) => Array.isArray(entry) && Object.hasOwn(stated.totals ?? {}, entry[0]);
  rejectEqualTexts([...rows.flatMap(([, row]) => row.map((entry) => (isWeight(entry) ? entry[0] : entry))), stated.items, stated.secondary].flat());
  const totals = Object.entries(stated.totals ?? {}).map(([name, total]) => ({ name, weights: new Map(), low: total.at(-2), high: total.at(-1), stated: total.length > 2 ? total[0] : null }));
  for (const { name, low, high } of totals) if (low !== null && high !== null && low > high) throw new Error(`Total ${name}: low, ${low}, exceeds high, ${high}.`);
  const totalOf = new Map(totals.filter((total) => !total.stated).map((total) => [total.name, total]));
  // An entry such as ["hours", 8] is a weight if a total has this name.
  const options = rows.map(([, row], k) => row.flatMap((item) => {
    const weights = Array.isArray(item) && Number.isInteger(item[1]) ? totalOf.get(item[0])?.weights : undefined;
    if (weights?.has(k)) throw new Error(`Option ${rows[k][0]} has two weights in total ${item[0]}.`);
    if (weights) return weights.set(k, item[1]), [];
    return [Array.isArray(item) ? item.map(String) : String(item)];
  }));
  const own = rows.map(([name, , id]) => id ?? (isNamed ? name : undefined));
  const repeated = repeatedIn(own.map((name, k) => String(name ?? k)));
  if (repeated !== undefined) throw new Error(`The option name ${repeated} appears twice.`);
  const described = titlesOf({ options });
  const titles = own.some((name) => name !== undefined) ? own.map((name, k) => String(name ?? described[k])) : null;
  const isSorted = rows.every(([name], k) => name === `${k}`) || !rows.some(([name]) => /^(0|[1-9]\d*)$/.test(name));
  /** Return the number of an option, which is called by its name, its number or its items. */
  const findOption = (key, role) => {
    const named = own.findIndex((name) => name !== undefined && String(name) === String(key));
    const isNumber = named < 0 && /^\d+$/.test(key) && key < options.length;
    if (isNumber) checkOrder();
    const number = isNumber ? Number(key) : named < 0 ? described.indexOf(String(key)) : named;
    if (number < 0) throw new Error(`${role}: there is no option ${key}.`);
    return number;
  };
  /** Check that the order of the options is that of the text, which whole numbers as keys do not keep. */
  const checkOrder = () => {
    if (isNamed && !isSorted) throw new Error("Options that are called by whole numbers have no order in the browser: state numbers by their names.");
  };
  /** Return a number of each option; they are stated in a list, or for some of the options. */
  const byOption = (stated, role) => {
    const numbers = options.map(() => 0);
    if (Array.isArray(stated)) {
      checkOrder();
      if (stated.length !== options.length) throw new Error(`${role}: one number for each option is needed, which are ${options.length}, not ${stated.length}.`);
      return stated.map(numberOf);
    }
    for (const [key, number] of Object.entries(stated)) numbers[findOption(key, role)] = numberOf(number);
    return numbers;
  };
  for (const total of totals) if (total.stated) total.weights = new Map(byOption(total.stated, total.name).entries());
  const secondary = (stated.secondary ?? []).map(String);
  const used = options.flat().map((item) => [item].flat()[0]);
  const items = (stated.items ?? [...new Set(used)].filter((name) => !secondary.includes(name))).map(String);
  const multiplicity = Object.create(null); // an item may be called constructor
  const bounded = ["multiplicity", "exactly", "at_most"].flatMap((key) => Object.keys(stated[key] ?? {}));
  const twice = bounded.find((name, k) => bounded.indexOf(name) < k) ?? Object.keys(stated.at_least ?? {}).find((name) => bounded.includes(name) && !(name in (stated.at_most ?? {})));
  if (twice !== undefined) throw new Error(`The bounds of item ${twice} are stated twice.`);
  if ("costs" in stated && "maximize" in stated) throw new Error("costs and maximize exclude each other.");
  for (const [name, n] of Object.entries({ ...stated.multiplicity, ...stated.exactly })) multiplicity[name] = Array.isArray(n) ? n : [n, n];
  for (const [name, high] of Object.entries(stated.at_most ?? {})) multiplicity[name] = [stated.at_least?.[name] ?? 0, high];
  for (const [name, low] of Object.entries(stated.at_least ?? {})) multiplicity[name] ??= [low, Math.max(low, options.length)];
  const sign = "maximize" in stated ? -1 : 1;
  const costs = ["costs", "maximize", "penalty"].some((key) => Object.keys(stated[key] ?? {}).length) ? byOption(stated.costs ?? stated.maximize ?? {}, "costs").map((cost) => sign * cost) : null;
  const problem = { items, secondary, multiplicity, options, lines: [], titles, costs, totals };
  const isUncovered = Object.keys(stated.penalty ?? {});
  if (isUncovered.length) problem.titles ??= titlesOf(problem);
  for (const name of isUncovered) {
    if (!items.includes(name)) throw new Error(`penalty: there is no primary item ${name}.`);
    if (multiplicity[name] && multiplicity[name].some((n) => n !== 1)) throw new Error(`The page supports no penalty of item ${name}, which has a multiplicity.`);
    options.push([name]); // stands for the item that stays uncovered
    problem.titles.push(`uncovered ${name}`);
    costs.push(numberOf(stated.penalty[name]));
    if (costs.at(-1) < 0) throw new Error(`The penalty of item ${name} must be 0 or more, not ${stated.penalty[name]}.`);
  }
  const [given, forbidden] = ["given", "forbidden"].map((key) => [...new Set((stated[key] ?? []).map((name) => findOption(name, key)))]);
  const contradicted = given.find((k) => forbidden.includes(k));
  if (contradicted !== undefined) throw new Error(`Option ${titlesOf(problem)[contradicted]} is both given and forbidden.`);
  return withConditions({ ...problem, sign, view: stated.view }, given, forbidden);
}

/** Return a problem in which options are chosen and excluded: these are left out. */
function withConditions(problem, given, forbidden) {
  if (!given.length && !forbidden.length) return problem;
  const kept = [...problem.options.keys()].filter((k) => !forbidden.includes(k));
  const titles = titlesOf(problem);
  const only = given.map((k) => `given ${titles[k]}`); // an item that no other option covers
  const pick = (values) => values && kept.map((k) => values[k]);
  const { view } = problem;
  return {
    ...problem, titles: pick(titles), costs: pick(problem.costs), items: [...problem.items, ...only],
    options: kept.map((k) => (given.includes(k) ? [...problem.options[k], only[given.indexOf(k)]] : problem.options[k])),
    given: given.map((k) => kept.indexOf(k)).filter((k) => k >= 0),
    totals: problem.totals.map((total) => ({ ...total, weights: new Map(kept.map((k, at) => [at, total.weights.get(k) ?? 0])) })),
    view: view?.marks ? { ...view, marks: kept.map((k) => view.marks[k] ?? []) } : view,
  };
}

/** Return the name of each option, or its items; equal options have numbers. */
function titlesOf({ titles, options }) {
  if (titles) return titles;
  const counts = new Map();
  return options.map((option) => {
    const words = option.map((item) => [item].flat().join(":"));
    const key = [...words].sort().join(" ");
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return words.join(" ") + (counts.get(key) > 1 ? ` (${counts.get(key)})` : "");
  });
}

/** Return whether the sum of the weights of chosen options is within the limits of each total. */
const isWithinTotals = ({ totals = [] }, chosen) =>
  totals.every(({ weights, low, high }) => {
    const sum = chosen.reduce((part, k) => part + (weights.get(k) ?? 0), 0);
    return (low ?? -Infinity) <= sum && sum <= (high ?? Infinity);
  });

/** Return the first line after which a text cannot be the beginning of a JSON value. */
function lineOfJsonError(text) {
  const lines = text.split("\n");
  const isBad = (n) => {
    const start = lines.slice(0, n).join("\n");
    try {
      JSON.parse(start);
      return false;
    } catch ({ message }) {
      const position = Number(message.match(/position (\d+)/)?.[1] ?? (/end of/.test(message) ? start.length : 0));
      return position < start.trimEnd().length;
    }
  };
  let [low, high] = [1, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBad(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const MAX_CELLS = 10_000; // of a board that is read or drawn
const SIZE = /^(\d{1,4})x(\d{1,4})(x\d{1,4})?$/;
const MOTIONS = ["rotations only", "no turning"];
const FILLED = "#*█■"; // the signs of a cell, beside letters
const NAMES = /^[A-Z]\d{0,6}( +[A-Z]\d{0,6})*$/;
const TETROMINOES = { I: "####", L: "###/#", O: "##/##", S: ".##/##", T: "###/.#", J: "###/..#", Z: "##/.##" };

/** Return the board and the pieces of a text, how pieces move, and how many cells stay empty; null for other texts. */
function splitPieces(text) {
  const blocks = [];
  let [title, motion, nEmpty, current] = ["", "", 0, null];
  const begin = (line, own, count = 1, rows = []) => {
    current = { line, title: own, count, rows };
    title = "";
    blocks.push(current);
  };
  text.split(/\r\n?|\n/).forEach((line, k) => {
    const word = line.trim().toLowerCase().replace(/:$/, "");
    const [, count] = word.match(/^(\d{1,6}) x$/) ?? [];
    const [, empty] = word.match(/^empty:? *(\d{1,4})$/) ?? [];
    if (count) return begin(k + 1, title || "pieces", Number(count));
    if (SIZE.test(word)) begin(k + 1, title || "board", 1, [word]);
    else if (MOTIONS.includes(word)) motion = word;
    else if (["board", "pieces"].includes(word)) title = word;
    else if (empty) nEmpty = Number(empty);
    else if (word) {
      if (!current) begin(k + 1, title);
      return current.rows.push(line.trimEnd());
    }
    current = null;
  });
  const titled = blocks.filter((block) => block.title === "board");
  const boards = titled.length ? titled : blocks.slice(0, 1).filter((block) => !block.title);
  const [board] = boards;
  const isBoard = board && (board.title || /[#*█■]|^[. ]+$/.test(board.rows.join("")));
  if (blocks.length < 2 || boards.length > 1 || !isBoard || /[={}|:,;]/.test(board.rows.join(""))) return null;
  return { board, pieces: blocks.filter((block) => block !== board), motion, nEmpty };
}

/** Return the cells of a drawing as [row, column, symbol], by rows. */
const cellsOf = (rows) => rows.flatMap((row, r) => [...row].flatMap((symbol, c) => (symbol === " " ? [] : [[r + 1, c + 1, symbol]])));

/** Return the cells of a block, between which there may be spaces. */
function cellsOfBlock({ line, rows }) {
  if (rows.some((row) => row.includes("|"))) throw at(line, "the page reads no solids; the command dlx-numba solve does");
  const sign = rows.join("").match(/[^A-Za-z .#*█■]/)?.[0];
  if (sign) throw at(line, `'${sign}' is not a cell: these are letters, #, dots and spaces`);
  const isSpaced = !rows.map((row) => [...row].filter((_, c) => c % 2).join("")).join("").trim();
  return cellsOf(isSpaced ? rows.map((row) => [...row].filter((_, c) => c % 2 === 0).join("")) : rows);
}

const cellsOfPiece = (drawing) => cellsOf(drawing.split("/")).filter(([, , symbol]) => symbol !== ".");

/** Return the pieces that letters name, and how they move. */
function namedPieces(blocks, nFilled, motion) {
  const counts = new Map();
  for (const { rows, count } of blocks) {
    for (const word of rows.join(" ").trim().split(/\s+/)) counts.set(word[0], (counts.get(word[0]) ?? 0) + count * Number(word.slice(1) || 1));
  }
  const letters = [...counts.keys()];
  const total = [...counts.values()].reduce((sum, n) => sum + n, 0);
  const isFive = letters.every((letter) => letter in PENTOMINOES) && 5 * total === nFilled;
  const isFour = letters.every((letter) => letter in TETROMINOES) && !isFive;
  const unknown = letters.filter((letter) => !(letter in PENTOMINOES));
  if (!isFour && unknown.length) throw at(blocks[0].line, `pieces without drawings are tetrominoes or pentominoes, not ${unknown.join(", ")}`);
  const shapes = isFour ? TETROMINOES : PENTOMINOES;
  const isSided = isFour && (counts.has("J") || (counts.has("S") && counts.has("Z")));
  const drawn = letters.map((letter) => ({ letter, count: counts.get(letter), cells: cellsOfPiece(shapes[letter]) }));
  return [drawn, motion || (isSided ? "rotations only" : "")];
}

/** Return the problem of filling a board with pieces, as the kind `pieces` of the commands. */
function parsePieces({ board, pieces: blocks, motion: stated, nEmpty }) {
  const [, height, width, depth] = board.rows[0].match(SIZE) ?? [];
  if (depth) throw at(board.line, "the page reads no solids; the command dlx-numba solve does");
  if (height * width > MAX_CELLS) throw at(board.line, `the page reads boards of up to ${MAX_CELLS} cells; the command dlx-numba solve reads larger ones`);
  const drawing = height ? Array(Number(height)).fill("#".repeat(width)) : null;
  const own = drawing ? cellsOf(drawing) : cellsOfBlock(board);
  const signs = own.some(([, , symbol]) => FILLED.includes(symbol)) ? FILLED : ".";
  const region = own.filter(([, , symbol]) => signs.includes(symbol)).map(([r, c]) => [r, c]);
  const placed = components(own.filter(([, , symbol]) => /[A-Za-z]/.test(symbol)));
  const isNamed = blocks.every(({ rows }) => rows.every((row) => NAMES.test(row.trim())));
  const drawn = blocks.flatMap((block) => (isNamed ? [] : components(cellsOfBlock(block).filter(([, , symbol]) => symbol !== "."))
    .map((cells) => ({ letter: cells[0][2], count: block.count, cells }))));
  const [listed, motion] = isNamed ? namedPieces(blocks, region.length - nEmpty, stated) : [drawn, stated];
  const formOf = new Map(); // of each letter
  const stock = new Map(); // the pieces by their forms, of which equal ones are one
  for (const { letter, count, cells } of listed) {
    const shapes = orientations(cells.map(([r, c]) => [r, c]), motion);
    const form = shapes.map(String).sort()[0];
    if (!stock.has(form)) stock.set(form, { letter: "", shapes, count: 0 });
    const piece = stock.get(form);
    piece.count += count;
    if (!/[A-Za-z]/.test(letter) || formOf.has(letter)) continue;
    formOf.set(letter, form);
    piece.letter ||= letter;
  }
  for (const cells of placed) {
    const [[, , letter]] = cells;
    if (!formOf.has(letter)) continue;
    const form = orientations(cells.map(([r, c]) => [r, c]), motion).map(String).sort()[0];
    const isThis = form === formOf.get(letter) && --stock.get(form).count >= 0;
    if (!isThis) throw at(board.line, `the letters ${letter} on the board are not the piece ${letter}`);
  }
  const free = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"].filter((letter) => !formOf.has(letter));
  const pieces = [...stock.values()];
  pieces.forEach((piece, k) => (piece.letter ||= free.shift() ?? `P${k}`));
  const n = pieces.reduce((sum, { count, shapes }) => sum + count * shapes[0].length, 0);
  if (n !== region.length - nEmpty) {
    const empty = nEmpty ? `, of which ${nEmpty} stay empty` : "";
    throw at(board.line, `the pieces have ${n} cells, the board has ${region.length}${empty}`);
  }
  const left = pieces.filter(({ count }) => count > 0);
  const { items, options } = placePieces(left, region);
  const marks = options.map(([letter, ...cells]) => cells.map((cell) => [cell.split(",").map(Number), letter]));
  const givens = placed.flat().map(([r, c, letter]) => [[r, c], letter]);
  return {
    options, lines: [], words: PIECE_WORDS,
    items: nEmpty ? items.slice(0, left.length) : items, secondary: nEmpty ? items.slice(left.length) : [],
    multiplicity: Object.fromEntries(left.filter(({ count }) => count !== 1).map(({ letter, count }) => [letter, [count, count]])),
    view: { form: "pieces", cells: region, marks, givens },
  };
}

/** Return the cells that are connected by their sides and have the same symbol. */
function components(cells) {
  const left = new Map(cells.map((cell) => [`${cell[0]},${cell[1]}`, cell]));
  const found = [];
  for (const cell of cells) {
    if (!left.delete(`${cell[0]},${cell[1]}`)) continue;
    const part = [cell];
    for (const [r, c] of part) {
      for (const key of [`${r - 1},${c}`, `${r + 1},${c}`, `${r},${c - 1}`, `${r},${c + 1}`]) {
        const near = left.get(key);
        if (near?.[2] === cell[2] && left.delete(key)) part.push(near);
      }
    }
    found.push(part);
  }
  return found;
}

/** Return the error of a line. */
function at(line, reason) {
  return Object.assign(new Error(`Line ${line}: ${reason}.`), { line });
}

function parseKnuth([[first, names], ...lines]) {
  const [left, right = "", more] = names.split(/(?:^|\s)\|/);
  if (more !== undefined) throw at(first, "more than one '|' in the line of items");
  const [tokens, secondary] = [left, right].map((part) => part.split(/\s+/).filter(Boolean));
  const repeated = repeatedIn(secondary);
  if (repeated !== undefined) throw at(first, `item ${repeated} appears twice`);
  const multiplicity = Object.create(null);
  const items = tokens.map((token) => {
    const [, low, high, name] = token.match(/^(?:(\d+):)?(\d+)\|(.+)$/) ?? [];
    if (name) multiplicity[name] = [Number(low ?? high), Number(high)];
    return name ?? token;
  });
  const bad = [...items, ...secondary].find((name) => /[:|]/.test(name));
  if (bad) throw at(first, `invalid item '${bad}'`);
  const priced = lines.map(([, line]) => line.match(/\s\|\d+(?=\s|$)/g)?.reduce((sum, token) => sum + Number(token.trim().slice(1)), 0) ?? 0);
  const options = lines.map(([number, line]) =>
    line.split(/\s+/).filter((token) => !/^\|\d+$/.test(token)).map((token) => {
      const [, item, color] = token.match(/^([^:|]+)(?::(.+))?$/) ?? [];
      if (!item) throw at(number, `invalid entry '${token}'`);
      return color ? [item, color] : item;
    }),
  );
  return { items, secondary, multiplicity, options, lines, costs: priced.some(Boolean) ? priced : null };
}

const POWERS = [[2, 6], [3, 3], [5, 2], [7, 1], [11, 1], [13, 1]];
const MAX_COLORED = 600;

/**
 * Return numbers of items that prove that a problem has no cover: the sum of each option is a
 * multiple of a modulus, but that of all items is not. Null if no modulus of POWERS has them.
 */
function findColoring({ items, multiplicity = {}, options }) {
  const bounds = (name) => multiplicity[name] ?? [1, 1];
  const exact = items.filter((name) => bounds(name)[0] === bounds(name)[1]);
  if (exact.length > MAX_COLORED) return null;
  const index = new Map(exact.map((name, k) => [name, k]));
  const target = exact.map((name) => bounds(name)[1]);
  const numbers = options.map((option) => option.map((item) => index.get(item)).filter((k) => k >= 0));
  const rows = [...new Map(numbers.map((row) => [row.sort((a, b) => a - b).join(), row])).values()];
  let best = null;
  for (const [prime, power] of POWERS) {
    for (let vector of orthogonal(rows, exact.length, prime, power)) {
      let modulus = prime ** power;
      for (; vector.every((value) => value % prime === 0); modulus /= prime) {
        vector = vector.map((value) => value / prime);
      }
      const total = vector.reduce((sum, value, k) => sum + value * target[k], 0);
      if (total % modulus === 0) continue;
      while (total % (modulus / prime)) modulus /= prime;
      const values = simplest(vector, modulus, prime);
      const size = new Set(values).size * 1000 + modulus;
      if (best === null || size < best.size) best = { modulus, size, values };
    }
  }
  if (best === null) return null;
  const sum = (row) => row.reduce((part, k) => part + best.values[k], 0);
  return {
    modulus: best.modulus,
    isExact: rows.every((row) => sum(row) === 0), // the sums are 0, not only multiples of the modulus
    total: best.values.reduce((part, value, k) => part + value * target[k], 0),
    values: new Map(exact.map((name, k) => [name, best.values[k]])),
  };
}

/** Return vectors that generate all those with products 0 with each row, modulo a prime power. */
function orthogonal(rows, length, prime, power) {
  const modulus = prime ** power;
  let vectors = Array.from({ length }, (_, k) => new Int32Array(length).fill(1, k, k + 1));
  // How often the prime divides a residue, and the rest
  const split = (residue) => {
    let count = 0;
    for (; count < power && residue % prime === 0; count++) residue /= prime;
    return [count, residue];
  };
  for (const row of rows) {
    const sums = vectors.map((vector) => row.reduce((sum, k) => sum + vector[k], 0) % modulus);
    const counts = sums.map((sum) => split(sum)[0]);
    const least = Math.min(power, ...counts);
    if (least === power) continue;
    const pivot = counts.indexOf(least);
    const unit = split(sums[pivot])[1];
    let inverse = 1;
    while ((inverse * unit) % modulus !== 1) inverse++;
    vectors.forEach((vector, j) => {
      if (j === pivot || sums[j] === 0) return;
      const factor = ((sums[j] / prime ** least) * inverse) % modulus;
      vector.forEach((value, k) => {
        vector[k] = (value + (modulus - factor) * vectors[pivot][k]) % modulus;
      });
    });
    vectors[pivot] = vectors[pivot].map((value) => (value * prime ** (power - least)) % modulus);
    vectors = vectors.filter((vector) => vector.some(Boolean));
  }
  return vectors;
}

/** Return the multiple of a vector with the smallest numbers, between -modulus/2 and modulus/2. */
function simplest(vector, modulus, prime) {
  let best = null;
  for (let factor = 1; factor < modulus; factor++) {
    if (factor % prime === 0) continue;
    const residues = Array.from(vector, (value) => (value * factor) % modulus);
    const values = residues.map((value) => (value > modulus / 2 ? value - modulus : value));
    const size = values.reduce((sum, value) => sum + Math.abs(value) - (value > 0) / 1000, 0);
    if (best === null || size < best.size) best = { size, values };
  }
  return best.values;
}

const PENTOMINOES = {
  F: ".##/##/.#", I: "#####", L: "####/#", N: "###/..##", P: "###/##", T: "###/.#/.#",
  U: "#.#/###", V: "###/#/#", W: ".##/##/#", X: ".#/###/.#", Y: "####/.#", Z: "##/.#/.##",
};

/** Return cells as [row, column] from 0, by rows. */
function normalized(cells) {
  const [top, left] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
  return cells.map(([r, c]) => [r - top, c - left]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** Return the turns and reflections of a piece, as lists of [row, column], or what one of MOTIONS allows. */
function orientations(piece, motion = "") {
  if (motion === "no turning") return [normalized(piece)];
  let cells = piece;
  const found = new Map();
  for (let k = 0; k < (motion ? 4 : 8); k++) {
    cells = cells.map(([r, c]) => (k === 4 ? [r, -c] : [c, -r]));
    const moved = normalized(cells);
    found.set(moved.join(), moved);
  }
  return [...found.values()];
}

/** Return the problem of covering cells, which are [row, column], with pieces of these letters and shapes. */
function placePieces(pieces, cells) {
  const inside = new Set(cells.map(([r, c]) => `${r},${c}`));
  const options = pieces.flatMap(({ letter, shapes }) =>
    shapes.flatMap((shape) =>
      cells.flatMap(([r, c]) => {
        const names = shape.map(([dr, dc]) => `${r + dr},${c + dc - shape[0][1]}`);
        return names.every((name) => inside.has(name)) ? [[letter, ...names]] : [];
      }),
    ),
  );
  return { items: [...pieces.map(({ letter }) => letter), ...inside], secondary: [], options };
}

/** Return the problem of a box whose cells are [row, column]: each pentomino is used once at most. */
function pentominoProblem(cells) {
  const pieces = Object.entries(PENTOMINOES).map(([letter, drawing]) => {
    const piece = cellsOfPiece(drawing).map(([r, c]) => [r, c]);
    return { letter, shapes: orientations(piece) };
  });
  const { items, options } = placePieces(pieces, cells);
  const letters = Object.keys(PENTOMINOES);
  const isFull = cells.length === 5 * letters.length;
  return { items: isFull ? items : items.slice(letters.length), secondary: isFull ? [] : letters, options };
}

// Sudoku boards of all sizes, with rules

const SYMBOLS = "123456789ABCDEFG";
const RULES = {
  classic: "classic", diagonals: "diagonals", windows: "windows", disjoint_groups: "disjoint groups",
  anti_knight: "anti-knight", anti_king: "anti-king", non_consecutive: "non-consecutive",
};

/** Return a board whose boxes have these rows and columns: its units, and which cells exclude what. */
function sudokuBoard(rows, columns, rule = "classic") {
  const n = rows * columns;
  const line = [...Array(n).keys()];
  const boxOf = (r, c) => Math.floor(r / rows) * rows + Math.floor(c / columns);
  const units = [...line.map((r) => line.map((c) => r * n + c)), ...line.map((c) => line.map((r) => r * n + c))];
  const cells = [...Array(n * n).keys()];
  const grouped = (group) => line.map((k) => cells.filter((cell) => group(Math.floor(cell / n), cell % n) === k));
  units.push(...grouped(boxOf));
  const marked = [];
  if (rule === "diagonals") marked.push(line.map((k) => k * (n + 1)), line.map((k) => (k + 1) * (n - 1)));
  if (rule === "windows") {
    if (rows !== columns) throw new Error("Windows need square boxes.");
    const starts = [...Array(rows - 1).keys()].map((k) => 1 + k * (rows + 1));
    for (const top of starts) for (const left of starts) marked.push(line.map((k) => (top + Math.floor(k / rows)) * n + left + (k % rows)));
  }
  units.push(...marked);
  if (rule === "disjoint_groups") units.push(...grouped((r, c) => (r % rows) * columns + (c % columns)));
  const near = (moves) => cells.flatMap((cell) => moves.flatMap(([dr, dc]) => {
    const [r, c] = [Math.floor(cell / n) + dr, (cell % n) + dc];
    return r >= 0 && r < n && c >= 0 && c < n ? [[cell, r * n + c]] : [];
  }));
  const moves = { anti_knight: [[1, 2], [2, 1], [1, -2], [2, -1]], anti_king: [[1, 1], [1, -1]] }[rule] ?? [];
  const unequal = near(moves);
  const apart = rule === "non_consecutive" ? near([[0, 1], [1, 0]]) : [];
  const peers = cells.map(() => new Set());
  for (const unit of units) for (const a of unit) for (const b of unit) if (a !== b) peers[a].add(b);
  const neighbors = cells.map(() => new Set());
  for (const [sets, pairs] of [[peers, unequal], [neighbors, apart]]) for (const [a, b] of pairs) sets[a].add(b), sets[b].add(a);
  return { n, rows, columns, rule, units, unequal, apart, marked: new Set(marked.flat()), peers, neighbors, symbols: SYMBOLS.slice(0, n) };
}

/** Return whether a value in a cell contradicts the values of others, which are "" or symbols. */
function contradicts({ symbols, peers, neighbors }, values, cell, value) {
  const k = symbols.indexOf(value);
  const isNear = (other) => values[other] && Math.abs(symbols.indexOf(values[other]) - k) === 1;
  return [...peers[cell]].some((other) => values[other] === value) || [...neighbors[cell]].some(isNear);
}

/** Return the exact cover problem of a board with these values; the titles of options are [cell, symbol]. */
function sudokuProblem({ n, units, unequal, apart, symbols }, values) {
  const named = units.map((_, u) => [...symbols].map((symbol) => `${u}=${symbol}`));
  const items = [...values.map((_, cell) => `cell${cell}`), ...named.flat()];
  const own = values.map(() => []);
  units.forEach((unit, u) => unit.forEach((cell) => own[cell].push(`${u}=`)));
  const pairs = new Map(); // of each cell and symbol: the secondary items
  const exclude = (name, ...placed) => placed.forEach((key) => pairs.set(key, [...(pairs.get(key) ?? []), name]));
  [...symbols].forEach((symbol, k) => {
    for (const [a, b] of unequal) exclude(`${a}≠${b}=${symbol}`, `${a}=${symbol}`, `${b}=${symbol}`);
    const next = symbols[k + 1];
    for (const [a, b] of next ? apart : []) {
      exclude(`${a}<${b}=${symbol}`, `${a}=${symbol}`, `${b}=${next}`);
      exclude(`${a}>${b}=${symbol}`, `${a}=${next}`, `${b}=${symbol}`);
    }
  });
  const titles = values.flatMap((value, cell) => (value ? [value] : [...symbols]).map((symbol) => [cell, symbol]));
  const options = titles.map(([cell, symbol]) => [`cell${cell}`, ...own[cell].map((unit) => unit + symbol), ...(pairs.get(`${cell}=${symbol}`) ?? [])]);
  return { items, secondary: [...new Set([...pairs.values()].flat())], options, titles, n };
}

const CELL = /^(?:(.*),)?(\d+),(\d+)$/;
const AXIS = /^(row|column),(\d+)$/;

/** Return where options lie on a board, by the names of items such as `2,3`, or null. */
function findBoard({ items, secondary, options, view }) {
  if (view?.form) return findViewedBoard(view);
  const prefix = [...items, ...secondary].map((name) => name.match(CELL)).find(Boolean)?.[1];
  const place = (name) => {
    const [, own, row, column] = name.match(CELL) ?? [];
    return row && own === prefix ? [Number(row), Number(column)] : null;
  };
  const cells = (option) => {
    const names = option.map((item) => [item].flat()[0]);
    const { row, column } = Object.fromEntries(names.map((name) => name.match(AXIS)?.slice(1) ?? []));
    return row && column ? [[Number(row), Number(column)]] : names.map(place).filter(Boolean);
  };
  const bounds = { top: Infinity, left: Infinity, bottom: -1, right: -1 };
  for (const [row, column] of options.flatMap(cells)) {
    Object.assign(bounds, { top: Math.min(bounds.top, row), bottom: Math.max(bounds.bottom, row) });
    Object.assign(bounds, { left: Math.min(bounds.left, column), right: Math.max(bounds.right, column) });
  }
  return isDrawn(bounds) ? { ...bounds, place, cells } : null;
}

/** Return whether a board has cells, and not too many. */
const isDrawn = ({ top, left, bottom, right }) => bottom >= top && (bottom - top + 1) * (right - left + 1) <= MAX_CELLS;

const FORMS_OF_BOARDS = ["grid", "pieces", "outlines", "blocks"];

/** Return the board of a view whose cells are rows and columns, or null. */
function findViewedBoard({ form, lattice = "squares", marks, givens = [], cells = [], regions = [], glyphs = [] }) {
  const all = [...cells, ...[...(marks ?? []).flat(), ...givens].map(([cell]) => cell)];
  if (!FORMS_OF_BOARDS.includes(form) || lattice !== "squares" || !all.length) return null;
  const [[top, bottom], [left, right]] = [0, 1].map((axis) => all.reduce(([low, high], cell) => [Math.min(low, cell[axis]), Math.max(high, cell[axis])], [Infinity, -Infinity]));
  if (!isDrawn({ top, left, bottom, right })) return null;
  const inside = new Set(all.map(String));
  return {
    top, bottom, left, right, marks, givens, isBoard: form === "grid", isBlack: form === "blocks", inside,
    regionOf: new Map(regions.map(([cell, region]) => [String(cell), region])), glyphs: new Map(glyphs), place: (name) => (inside.has(name) ? name.split(",").map(Number) : null),
  };
}

const PAPER = "#f8f9fb"; // of cells with a text

/** Return the look of the cells of a view; see `lookAt`. */
function lookAtView({ marks, givens, isBoard, isBlack, inside, regionOf, glyphs }, chosen) {
  const written = new Map(givens.map(([cell, text]) => [String(cell), { group: `given ${text}`, label: text, fill: PAPER }]));
  chosen.forEach((option, k) => {
    for (const [cell, text] of marks[option] ?? []) written.set(String(cell), { group: k, label: glyphs.get(text) ?? text, fill: isBlack ? "#111" : colorOf(text, k) });
  });
  return (r, c) => {
    const cell = `${r},${c}`;
    if (!inside.has(cell)) return null;
    const look = written.get(cell) ?? { group: null, label: "" };
    return isBoard ? { ...look, group: regionOf.get(cell) ?? cell, fill: PAPER } : look;
  };
}

/** Return functions of cells: the group, label and color of a cover's option, or null if options overlap. */
function lookAt(board, options, chosen) {
  if (board.marks) return lookAtView(board, chosen);
  const cells = new Map();
  for (const [k, number] of chosen.entries()) {
    const option = options[number];
    const places = board.cells(option);
    const names = option.filter((item) => !Array.isArray(item) && !board.place(item));
    const values = new Set(names.map((name) => name.replace(/^.*,/, ""))); // of row,2 column,2 box,2: one
    const name = values.size === 1 ? [...values][0] : places.length === 1 ? "●" : "";
    for (const cell of places) {
      if (cells.has(cell.join())) return null;
      const color = option.find((item) => Array.isArray(item) && board.place(item[0])?.join() === cell.join())?.[1];
      cells.set(cell.join(), { group: number, label: color ?? name, fill: colorOf(name, k) });
    }
  }
  return cells.size || !chosen.length ? (r, c) => cells.get(`${r},${c}`) ?? { group: null } : null;
}

// As in all pictures of the package: dark text is legible on these colors, and a letter has the same one in all problems.
const COLORS = [
  "#aaddff", "#ee9922", "#99aaff", "#eeee55", "#448888", "#ddeebb", "#ee9999",
  "#4477ee", "#dd5522", "#229955", "#9988bb", "#aaaabb", "#dd4488", "#dddddd",
];
const COLORS_FROM_O = [2, 9, 13, 12, 12, 3, 4, 2, 0, 12, 1, 7];

/** Return the color of a piece with a name: that of a letter, else that of its number. */
function colorOf(name, number) {
  const place = /^[A-Z]$/i.test(name) ? name.toUpperCase().charCodeAt(0) - 65 : number % COLORS.length;
  return COLORS[place < COLORS.length ? place : COLORS_FROM_O[place - COLORS.length]];
}
