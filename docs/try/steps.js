"use strict";

// What follows from a problem in the words of `hint`; dlx.js finds it. Functions of this file use no
// document.

const MAX_LISTED = 10; // names in a sentence
const MAX_LEFT = 4; // options of an item that a sentence lists
const MAX_RULES = 3; // in brackets
const WORDS = [[/^cell,(\d+),(\d+)$/, "r$1c$2"], [/^([a-z]{3,}),(\w+)$/, "$1 $2"], [/^(row|column|box),?(\w+),(\w+)$/, "the $3 of $1 $2"]];
const PIECE_WORDS = [[/^(\w)$/, "piece $1"], [/^([-,\d]+,[-,\d]+)$/, "cell $1"]];

/** Return what a sentence calls an item or an option: words, or its name between backticks. */
function wordsFor(name, words = []) {
  const [pattern, text] = [...words, ...WORDS].find(([each]) => each.test(name)) ?? [];
  return pattern ? name.replace(pattern, text) : `\`${name}\``;
}

/** Return the rule of an item in words, or "". */
function ruleFor(name, words = []) {
  const [pattern, , rule] = [...words, ...WORDS].find(([each]) => each.test(name)) ?? [];
  return rule ? name.replace(pattern, rule) : "";
}

/** Return words of pictures, whose patterns are those of Python. */
function readWords(words = []) {
  const toGroups = (text) => text.replace(/\\g<(\d+)>|\\(\d+)/g, (_, long, short) => ((long ?? short) === "0" ? "$&" : `$${long ?? short}`));
  return words.map(([pattern, ...texts]) => [new RegExp(`^(?:${pattern})$`), ...texts.map(toGroups)]);
}

/** Return the rules by which options exclude others after those before, in brackets; "" if there are none or many. */
function brokenRules({ options, multiplicity = {}, words }, before, own, others) {
  const colorOf = (option, item) => option.find((entry) => Array.isArray(entry) && entry[0] === item)?.[1];
  const contains = (option, item) => option.some((entry) => [entry].flat()[0] === item);
  const isFull = (item, option) => {
    const high = (multiplicity[item] ?? [1, 1])[1] ?? options.length;
    return high === 1 || [...new Set([...before, option])].filter((k) => contains(options[k], item)).length >= high;
  };
  const rules = new Set();
  for (const option of own) {
    for (const other of others) {
      for (const item of options[other].map((entry) => [entry].flat()[0])) {
        const rule = contains(options[option], item) && ruleFor(item, words);
        const color = colorOf(options[other], item);
        if (rule && (color === undefined || color !== colorOf(options[option], item)) && isFull(item, option)) rules.add(rule);
      }
    }
  }
  return rules.size && rules.size <= MAX_RULES ? ` (${[...rules].join(", ")})` : "";
}

/** Return a list in a sentence, whose end is left out if it is long. */
function joined(names, word = "and") {
  const listed = names.length > MAX_LISTED ? [...names.slice(0, MAX_LISTED), `${names.length - MAX_LISTED} more`] : names;
  return listed.length < 2 ? listed.join() : `${listed.slice(0, -1).join(", ")} ${word} ${listed.at(-1)}`;
}

/** Return what follows from a choice, in clauses that lead to a dead end; the number is that of the case, such as "2.1". */
function describeCase({ links, item, cases }, words, number = "") {
  let text = "";
  let verb = "that leaves";
  for (const round of new Set(links.map((link) => link.round))) {
    text += `${verb} ${joined(links.filter((link) => link.round === round).map(words.link))}; `;
    verb = words.then;
  }
  if (!cases.length) return text ? `${text}but then ${words.lack(item)}` : words.lack(item);
  text += `then ${words.left(item, cases.map(({ option }) => option))}`;
  cases.forEach((each, k) => {
    text += `. Case ${number}${k + 1}, ${words.choice(each.option)}: ${describeCase(each, words, `${number}${k + 1}.`)}`;
  });
  return text;
}

/** Return a step in a sentence or two. */
function describeStep(problem, step) {
  if (problem.describe) return problem.describe(step);
  const { kind, size, items, chosen, removed, left, shared } = step;
  const multiplicity = problem.multiplicity ?? {};
  const titles = titlesOf(problem);
  const nameItem = (name) => wordsFor(name, problem.words);
  const nameOption = (option) => wordsFor(titles[option], problem.words);
  const nameOptions = (options) => options.map(nameOption).filter(Boolean);
  const gone = joined(nameOptions(removed), "or");
  const missing = missingIn(problem);
  const excludes = (options, subject = "This") => {
    const groups = new Map([["", new Set()]]); // by the rules
    for (const other of removed) {
      const rules = brokenRules(problem, step.before, options, [other]);
      const name = nameOption(other);
      groups.set(rules, (groups.get(rules) ?? new Set()).add(name.startsWith("no ") ? `"${name}"` : name));
    }
    const parts = [...groups].filter(([, names]) => names.size).map(([rules, names]) => joined([...names]) + rules);
    return parts.length ? ` ${subject} excludes ${parts.join("; ")}.` : "";
  };
  if (kind === "only") {
    const choice = nameOption(chosen);
    const others = [...problem.options.keys()].filter((k) => k !== chosen && problem.options[k].includes(items[0]));
    const rules = brokenRules(problem, problem.given ?? [], problem.given ?? [], others);
    let only = others.length ? `only ${choice} is left${rules}` : `there is only ${choice}`;
    if (choice.startsWith("no ")) only = `there can be ${choice}${rules}`;
    if (left.length > 1) only = `only ${joined(nameOptions(left))} are left, as many as needed. So ${choice} is chosen`;
    return `For ${nameItem(items[0])}, ${only}.${excludes([chosen])}`;
  }
  if (kind === "set") {
    const used = items.slice(size).map((name) => ((multiplicity[name]?.[1] ?? 1) > 1 ? `the last of ${nameItem(name)}` : nameItem(name)));
    const bases = joined(items.slice(0, size).map(nameItem).filter(Boolean));
    return `The options left for ${bases} take ${joined(used.filter(Boolean), "or")}, one each, so no other option does.${excludes([])}`;
  }
  if (kind !== "conflict") {
    const words = {
      choice: nameOption, then: "then",
      link: ({ item, option }) => `${nameOption(option)} for ${nameItem(item)}`,
      left: (item, options) => `${nameItem(item)} has only ${joined(nameOptions(options), "or")} left`,
      lack: (item) => `${missing} is left for ${nameItem(item)}`,
    };
    return `Suppose ${gone}: ${describeCase(step.case, words)}. So ${gone} is excluded.`;
  }
  const taken = shared.map(nameItem).find(Boolean);
  if (taken) return `Each option left for ${nameItem(items[0])} also takes ${taken}.${excludes(left)}`;
  if (!step.case && left.length <= MAX_LEFT) return `For ${nameItem(items[0])}, only ${joined(nameOptions(left), "or")} are left.${excludes(left, "Each")}`;
  const lacking = step.case?.item ?? items[0];
  return `With ${gone}, ${missing} would be left for ${nameItem(lacking)}${brokenRules(problem, step.before, step.left, removed)}. So ${removed.length === 1 ? "this is" : "these are"} excluded.`;
}

const missingIn = ({ multiplicity = {} }) => (Object.keys(multiplicity).length ? "too little" : "nothing");

/** Return what is known after the last step, in a sentence. */
function describeEnd(problem, { isSolved, lackingItem, chosen = [] }) {
  if (isSolved && !isWithinTotals(problem, chosen)) return "There is no cover: the only choice is not within the limits of the totals.";
  if (isSolved) return `This is the only ${problem.describeLack ? "solution" : "cover"}.`;
  if (lackingItem === null) return "No rule applies to what is left.";
  return problem.describeLack?.(lackingItem) ?? `There is no cover: ${missingIn(problem)} is left for ${wordsFor(lackingItem, problem.words)}.`;
}

// Sudoku boards: see `sudokuProblem`

const isCell = (item) => item.startsWith("cell");
const unitOf = (item) => Number(item.split("=")[0]);
const symbolOf = (item) => item.split("=")[1];
const CLASSES = [2, 2, 1]; // of the items of rows, columns and boxes; those of cells are 0, of other units 3
const [NAKED, HIDDEN, FISH] = [0, 1, 2]; // kinds of tables

/** Return the techniques of players on a board with these values, for `Deduction`; `list_tables` has the same tables. */
function techniquesOf(board, problem, values) {
  const { n } = board;
  const { items, secondary } = problem;
  const numberOf = new Map(items.map((name, k) => [name, k]));
  const tables = new Map();
  const add = (key, kind, row, column, option) => {
    if (!tables.has(key)) tables.set(key, { kind, rows: [], columns: [], options: [] });
    const { rows, columns, options } = tables.get(key);
    for (const [side, item] of [[rows, row], [columns, column]]) if (!side.includes(item)) side.push(item);
    options.push({ option, row: rows.indexOf(row), column: columns.indexOf(column) });
  };
  problem.titles.forEach(([cell, symbol], option) => {
    if (values[cell] || contradicts(board, values, cell, symbol)) return;
    const [own, ...units] = problem.options[option].map((name) => numberOf.get(name)).filter((number) => number !== undefined);
    for (const unit of units) {
      add(`${unitOf(items[unit])} naked`, NAKED, own, unit, option);
      add(`${unitOf(items[unit])} hidden`, HIDDEN, unit, own, option);
    }
    const [row, column] = units;
    add(`${symbol} by rows`, FISH, row, column, option);
    add(`${symbol} by columns`, FISH, column, row, option);
  });
  const classOf = (name) => (isCell(name) ? 0 : CLASSES[Math.floor(unitOf(name) / n)] ?? 3);
  return {
    rules: bundle.levels.map(([, ...rule]) => rule),
    classes: [...items.map(classOf), ...secondary.map(() => 4)], tables: [...tables.values()],
  };
}

const UNITS = { windows: "window", disjoint_groups: "group", diagonals: "diagonal" };
const DIAGONALS = ["the main diagonal", "the antidiagonal"];
const RELATIONS = {
  anti_knight: ["knight's move", "is a knight's move from {}"],
  anti_king: ["king's move", "is a king's move from {}"],
  non_consecutive: ["non-consecutive", "shares a side with {} and is not consecutive with it"],
};

/** Return the names on a board: of cells, of units, and of the rules that add units. */
function boardWords({ n, rule }) {
  const unitRule = (unit) => (unit < 3 * n ? "" : UNITS[rule] ?? "");
  const cellName = (cell) => `r${Math.floor(cell / n) + 1}c${(cell % n) + 1}`;
  const unitName = (unit) => {
    const kind = ["row", "column", "box"][Math.floor(unit / n)];
    if (kind) return `${kind} ${(unit % n) + 1}`;
    return rule === "diagonals" ? DIAGONALS[unit - 3 * n] : `${unitRule(unit)} ${unit - 3 * n + 1}`;
  };
  const nameItem = (item) => (isCell(item) ? cellName(Number(item.slice(4))) : `${symbolOf(item)} in ${unitName(unitOf(item))}`);
  const lack = (item) => (isCell(item) ? `${nameItem(item)} has no digit left` : `${unitName(unitOf(item))} has no cell left for ${symbolOf(item)}`);
  return { cellName, unitName, unitRule, lack, describeLack: (item) => `There is no solution: nothing is left for ${nameItem(item)}.` };
}

/** Return a step on a board as `hint` words it. */
function describeSudokuStep(board, { titles }, step) {
  const [text, rules] = describeOnBoard(board, titles, step);
  const [stated] = bundle.levels[step.level];
  let name = stated;
  if (step.kind === "chain") name = `${stated} of length ${step.size}`;
  if (step.kind === "conflict" && stated === "conflict") name = rules || stated;
  return `${name[0].toUpperCase()}${name.slice(1)}: ${text}`;
}

/** Return a step in a sentence or two, and the rules of a conflict, as far as they are known. */
function describeOnBoard(board, titles, { kind, size, items, chosen, removed, left, shared, case: reason }) {
  const { cellName, unitName, unitRule, lack } = boardWords(board);
  const cellOf = (option) => cellName(titles[option][0]);
  const digitOf = (option) => titles[option][1];
  const cellsOf = (options) => joined(options.map(cellOf), "or");
  const digitsOf = (options) => joined(options.map(digitOf), "or");
  const nameCell = (item) => cellName(Number(item.slice(4)));
  const unitNameOf = (item) => unitName(unitOf(item));
  const leftFor = (item, options) =>
    isCell(item) ? `${nameCell(item)} can only be ${digitsOf(options)}`
      : `in ${unitNameOf(item)}, the ${symbolOf(item)} can only be in ${cellsOf(options)}`;
  /** Return digits and the cells from which they are excluded, those with equal cells together. */
  const byDigit = (options) => {
    const cells = new Map();
    for (const option of options) cells.set(digitOf(option), [...(cells.get(digitOf(option)) ?? []), cellOf(option)]);
    const digits = new Map();
    for (const [digit, own] of [...cells].sort()) digits.set(joined(own), [...(digits.get(joined(own)) ?? []), digit]);
    return [...digits].map(([where, own]) => `${joined(own)} from ${where}`).join(", and ");
  };
  const excludes = removed.length ? ` This excludes ${byDigit(removed)}.` : "";
  const [item] = items;
  if (kind === "only") {
    const byRule = new Map();
    for (const option of removed.filter((each) => cellOf(each) !== cellOf(chosen))) {
      const [rule] = relationOn(board, titles[option], titles[chosen]) ?? [""];
      byRule.set(rule, [...(byRule.get(rule) ?? []), option]);
    }
    const texts = [...byRule].sort().map(([rule, options]) => `${rule ? `By the ${rule} rule, this` : "This"} excludes ${byDigit(options)}.`);
    return [[`${leftFor(item, [chosen])}.`, ...texts].join(" ")];
  }
  if (reason) {
    const assumed = `${cellOf(reason.option)}=${digitOf(reason.option)}`;
    const words = {
      choice: (option) => `${cellOf(option)}=${digitOf(option)}`, then: "then there is", left: leftFor, lack,
      link: ({ item: own, option }) => (isCell(own) ? `only ${digitOf(option)} for ${cellOf(option)}` : `only ${cellOf(option)} for the ${symbolOf(own)} in ${unitNameOf(own)}`),
    };
    return [`suppose ${assumed}: ${describeCase(reason, words)}. So ${cellOf(reason.option)} is not ${digitOf(reason.option)}.`];
  }
  const [bases, covers] = [items.slice(0, size), items.slice(size)];
  if (kind === "set" && isCell(item)) {
    const taken = `so these cells take them in ${unitNameOf(covers[0])}`;
    return [`${joined(bases.map(nameCell))} can only be ${joined(covers.map(symbolOf), "or")}, ${taken}.${excludes}`];
  }
  if (kind === "set" && isCell(covers[0])) {
    const where = `${joined(covers.map(nameCell), "or")}, so these cells are nothing else`;
    return [`in ${unitNameOf(item)}, ${joined(bases.map(symbolOf).sort())} can only be in ${where}.${excludes}`];
  }
  if (kind === "set") {
    const where = `${joined(covers.map(unitNameOf), "or")}, which therefore have no ${symbolOf(item)} elsewhere`;
    return [`in ${joined(bases.map(unitNameOf))}, the ${symbolOf(item)} can only be in ${where}.${excludes}`];
  }
  const [relations, reasons] = reasonsOnBoard(board, titles, { item, left, removed });
  const rules = [isCell(item) ? "" : unitRule(unitOf(item)), relations].filter(Boolean).join(" and ");
  const clauses = reasons.map(({ option, words, digits }) => ({ cell: cellOf(option), words, digits: joined(digits, "or") }));
  if (isCell(item)) {
    const texts = clauses.map(({ cell, words, digits }) => `${cell} ${words}, so it is not ${digits}`);
    if (texts.length && left.length < board.n) texts[0] = `${leftFor(item, left)}, and ${texts[0]}`;
    return [texts.length ? `${texts.join("; ")}.` : `${leftFor(item, left)}, which excludes ${byDigit(removed)}.`, rules];
  }
  const common = shared.find((name) => !isCell(name) && symbolOf(name) === symbolOf(item));
  if (common) return [`${leftFor(item, left)}, which are in ${unitNameOf(common)}.${excludes}`, rules];
  const each = clauses.map(({ cell, words, digits }) => `each of them ${words}, so ${cell} is not ${digits}`);
  return [each.length && each.length <= MAX_LEFT ? `${leftFor(item, left)}; ${each.join("; ")}.` : `${leftFor(item, left)}.${excludes}`, rules];
}

/** Return the rules by which what is left for an item excludes others, and each cell with its relation to the item and its digits. */
function reasonsOnBoard(board, titles, { item, left, removed }) {
  const { cellName } = boardWords(board);
  const rules = new Set();
  const reasons = new Map();
  for (const option of removed) {
    const related = new Set();
    for (const other of left) {
      const found = relationOn(board, titles[option], titles[other]);
      if (!found) return ["", []];
      related.add(found[1].replace("{}", cellName(titles[isCell(item) ? other : option][0])));
      if (found[0]) rules.add(found[0]);
    }
    const words = joined([...related], "or");
    const key = `${titles[option][0]} ${words}`;
    if (!reasons.has(key)) reasons.set(key, { option, words, digits: [] });
    reasons.get(key).digits.push(titles[option][1]);
  }
  return [[...rules].join(" and "), [...reasons.values()]];
}

/** Return the rule by which two placements exclude each other, and how their cells are related, or null. */
function relationOn(board, [cell, symbol], [other, value]) {
  const { unitName, unitRule } = boardWords(board);
  const isPair = (pairs) => pairs.some((pair) => pair.includes(cell) && pair.includes(other) && cell !== other);
  const distance = Math.abs(board.symbols.indexOf(symbol) - board.symbols.indexOf(value));
  if ((distance === 0 && isPair(board.unequal)) || (distance === 1 && isPair(board.apart))) return RELATIONS[board.rule];
  if (cell === other) return ["", "is {} itself"];
  const unit = distance ? -1 : board.units.findIndex((own) => own.includes(cell) && own.includes(other));
  return unit < 0 ? null : [unitRule(unit), `is in ${unitName(unit)} with {}`];
}
