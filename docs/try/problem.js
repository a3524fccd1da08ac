"use strict";

// Exact cover problems without their search: texts, colorings and pieces. Functions of this file use
// no document.

/** Return the problem in a text: Knuth's format, sets such as S1 = {A, B}, or rows of 0 and 1. */
function parseProblem(text) {
  const numbered = text.split(/\r\n?|\n/).map((line, k) => [k + 1, line.trim()]);
  const all = numbered.filter(([, line]) => line && !line.startsWith("|"));
  const lines = all.filter(([, line]) => !line.startsWith("#"));
  const [first, head] = lines[0] ?? [1, ""];
  if (!head) throw at(first, "the problem is empty");
  if (lines.every(([, line]) => /^[01][01 ,;\t]*$/.test(line))) {
    const width = head.match(/[01]/g).length;
    const options = lines.map(([number, line]) => {
      const row = line.match(/[01]/g);
      if (row.length !== width) throw at(number, `the row has ${row.length} columns instead of ${width}`);
      return row.flatMap((mark, k) => (mark === "1" ? [`${k + 1}`] : []));
    });
    const items = Array.from({ length: width }, (_, k) => `${k + 1}`);
    return { items, secondary: [], options, lines, titles: options.map((_, k) => `row ${k + 1}`) };
  }
  if (/^[^\s={}]+\s*=\s*\{/.test(head)) {
    const sets = lines.map(([, line]) => line.match(/^([^\s={}]+)\s*=\s*\{([^{}]*)\}\s*[,;]?$/));
    if (sets.includes(null)) throw at(lines[sets.indexOf(null)][0], "expected a set such as S1 = {A, B}");
    const options = sets.map(([, , elements]) => elements.split(",").map((name) => name.trim()).filter(Boolean));
    return { items: [...new Set(options.flat())], secondary: [], options, lines, titles: sets.map(([, name]) => name) };
  }
  return parseKnuth(all);
}

/** Return the error of a line. */
function at(line, reason) {
  return Object.assign(new Error(`Line ${line}: ${reason}.`), { line });
}

function parseKnuth([[first, names], ...lines]) {
  const [left, right = "", more] = names.split(/(?:^|\s)\|/);
  if (more !== undefined) throw at(first, "more than one '|' in the line of items");
  const [tokens, secondary] = [left, right].map((part) => part.split(/\s+/).filter(Boolean));
  const multiplicity = {};
  const items = tokens.map((token) => {
    const [, low, high, name] = token.match(/^(?:(\d+):)?(\d+)\|(.+)$/) ?? [];
    if (name) multiplicity[name] = [Number(low ?? high), Number(high)];
    return name ?? token;
  });
  const bad = [...items, ...secondary].find((name) => /[:|]/.test(name));
  if (bad) throw at(first, `invalid item '${bad}'`);
  const options = lines.map(([number, line]) =>
    line.split(/\s+/).filter((token) => !/^\|\d+$/.test(token)).map((token) => {
      const [, item, color] = token.match(/^([^:|]+)(?::(.+))?$/) ?? [];
      if (!item) throw at(number, `invalid entry '${token}'`);
      return color ? [item, color] : item;
    }),
  );
  return { items, secondary, multiplicity, options, lines, hasCosts: lines.some(([, line]) => /\s\|\d+/.test(line)) };
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

/** Return the turns and reflections of each pentomino, as lists of [row, column]. */
function orientations(drawing) {
  const lines = drawing.split("/");
  let cells = lines.flatMap((line, r) => [...line].flatMap((mark, c) => (mark === "#" ? [[r, c]] : [])));
  const found = new Map();
  for (let k = 0; k < 8; k++) {
    cells = cells.map(([r, c]) => (k === 4 ? [r, -c] : [c, -r]));
    const [top, left] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
    const moved = cells.map(([r, c]) => [r - top, c - left]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    found.set(moved.join(), moved);
  }
  return [...found.values()];
}

/** Return the problem of a box whose cells are [row, column]: each pentomino is used once at most. */
function pentominoProblem(cells) {
  const inside = new Set(cells.map(([r, c]) => `${r},${c}`));
  const letters = Object.keys(PENTOMINOES);
  const options = letters.flatMap((letter) =>
    orientations(PENTOMINOES[letter]).flatMap((shape) =>
      cells.flatMap(([r, c]) => {
        const names = shape.map(([dr, dc]) => `${r + dr},${c + dc - shape[0][1]}`);
        return names.every((name) => inside.has(name)) ? [[letter, ...names]] : [];
      }),
    ),
  );
  const isFull = cells.length === 5 * letters.length;
  const items = [...(isFull ? letters : []), ...inside];
  return { items, secondary: isFull ? [] : letters, options };
}

const CELL = /^(?:(.*),)?(\d+),(\d+)$/;
const AXIS = /^(row|column),(\d+)$/;

/** Return where options lie on a board, by the names of items such as `2,3`, or null. */
function findBoard({ items, secondary, options }) {
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
  return bounds.bottom < 0 ? null : { ...bounds, place, cells };
}

/** Return functions of cells: the group, label and color of a cover's option, or null if options overlap. */
function lookAt(board, options, chosen) {
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
      cells.set(cell.join(), { group: number, label: color ?? name, fill: hue(k) });
    }
  }
  return cells.size ? (r, c) => cells.get(`${r},${c}`) ?? { group: null } : null;
}

const hue = (k) => `hsl(${Math.round((k * 137.5) % 360)} 65% ${k % 2 ? 72 : 80}%)`;
