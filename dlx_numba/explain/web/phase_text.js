// Descriptions of the phases of a step.

const MAX_LISTED = 8; // options or items in one sentence

function enumerate(noun, names) {
  if (names.length === 1) return `${noun} ${names[0]}`;
  const rest = names.length - MAX_LISTED;
  const shown = names.map((name) => (name.includes(",") ? `(${name})` : name));
  const listed = rest > 0 ? [...shown.slice(0, MAX_LISTED), `${rest} more`] : shown;
  const comma = listed.length > 2 ? "," : "";
  return `${noun}s ${listed.slice(0, -1).join(", ")}${comma} and ${listed.at(-1)}`;
}

const enumerateOptions = (options, noun = "option") =>
  enumerate(noun, options.map((option) => references[option]));
const enumerateItems = (items) => enumerate("item", items.map((item) => record.items[item - 1]));
const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const agree = (list, verb) => (list.length === 1 ? `${verb}s` : verb);

// The options of which a change hides or restores nodes.
function optionsOfChange({ start, end }) {
  const nodes = [...assignments.node.subarray(start, end)].filter((node) => node > nItems);
  return [...new Set(nodes.map((node) => optionOf[node]))].sort((a, b) => a - b);
}

// The description of the current phase.
function phaseText() {
  const step = steps[stepIndex];
  if (!isDetailed()) return step.text;
  const role = roleOf(step);
  const { kind } = currentPhase();
  const name = `option ${record.described_options[step.option]}`;
  if (kind === "complete") return role === "try" ? describeAttempt(step) : step.text;
  if (kind === "link") return describeAssignment(nApplied - 1);
  if (kind === "row") return `Select the row of ${name}.`;
  if (kind === "columns") return describeColumns(step);
  const related = relatedOptions(stepIndex);
  if (kind === "related") {
    if (!related.length) return `No other remaining option conflicts with option ${references[step.option]}.`;
    const names = capitalize(enumerateOptions(related));
    return `${names} ${agree(related, "conflict")} with option ${references[step.option]}, and will be removed.`;
  }
  if (kind === "before") return describeBefore(step, role, name, related);
  return describeChange(step.changes[currentPhase().nChanges - 1]);
}

function describeColumns(step) {
  const others = nodesOf(step.option, step.item).map((node) => arrays.column[node]);
  const isOnly = others.length === 1;
  const text = `Its ${isOnly ? "only column is" : "columns are"} ${enumerateItems(others)}`;
  if (!others.includes(step.item) || !isCovered(step.item)) return `${text}.`;
  const covered = "is covered already.";
  return isOnly ? `${text}, which ${covered}` : `${text}. Item ${record.items[step.item - 1]} ${covered}`;
}

function describeBefore(step, role, name, related) {
  if (role === "try") return `Try ${name}. ${describeColumns(step)}`;
  if (role === "tweak") return `Select ${name}: its links are about to change.`;
  if (role === "undo") return `Undo ${name}, from the last change to the first.`;
  const rows = related.length ? `, with ${enumerateOptions(related, "row")}` : "";
  const column = `the column of ${enumerateItems(itemsOfStep(step))}`;
  if (role === "backtrack") return `Restore ${column}${rows}.`;
  return `Select ${column}${rows || ", which has no other rows"}.`;
}

function describeChange(change) {
  const { item } = change;
  const returns = isUndoing();
  if (!item) {
    const listed = [...new Set(["size", "capacity"].flatMap((name) => [...changedCells(name).keys()]))];
    const moves = (other) => isCovered(other) !== returns;
    const describe = (items, verb, rest) =>
      items.length ? [`${capitalize(enumerateItems(items.sort((a, b) => a - b)))} ${agree(items, verb)} ${rest}.`] : [];
    const used = listed.filter((other) => !moves(other));
    const moved = listed.filter(moves);
    return [
      ...describe(used, "take", "the option, and can take more"),
      ...describe(moved, "leave", "the item list"),
    ].join(" ");
  }
  const options = optionsOfChange(change);
  const isPurified = changedCells("purifier").size > 0;
  const name = `item ${record.items[item - 1]}`;
  if (!options.length) {
    const done = isPurified ? "purified" : returns ? "uncovered" : "covered";
    return `${capitalize(name)} is ${done}: no other item ${returns ? "gains" : "loses"} an option.`;
  }
  const listed = enumerateOptions(options);
  if (returns) return `Uncover ${name}: restore ${listed}.`;
  return `${isPurified ? `Purify ${name} to color ${colorName(purifierOf(item))}` : `Cover ${name}`}: hide ${listed}.`;
}

// What an assignment does, and what it does when a step is undone.
const PURPOSES = {
  item: [(x) => `Remove ${x} from the item list`, (x) => `Return ${x} to the item list`],
  node: [(x) => `Hide ${x}`, (x) => `Restore ${x}`],
  color: [(x) => `Give ${x} a color`, (x) => `Take the color from ${x}`],
  option: [(x) => `${capitalize(x)} takes the option`, (x) => `${capitalize(x)} returns the option`],
};

// Such as "R[L[x]] ← R[x]", where x is `nodeOf` the assignment.
function formulaOf({ array, value, previous, node }) {
  const opposite = { L: "R", R: "L", U: "D", D: "U" }[array];
  if (opposite) return `${array}[${opposite}[x]] ← ${isUndoing() ? "x" : `${array}[x]`}`;
  if (array === "purifier") return `purifier[x] ← ${value ? "node" : 0}`;
  const difference = (value - previous) | 0; // sizes are unsigned
  const cell = `${array}[${node > nItems ? "column[x]" : "x"}]`;
  return `${cell} ← ${cell} ${difference < 0 ? "−" : "+"} ${Math.abs(difference) === 1 ? 1 : "C"}`;
}

// Such as "Hide node 22 (option 5, item 3): D[U[x]] ← D[x] for x = 22. D[12] changes from 22 to 4."
function describeAssignment(index) {
  const { array, cell, value, previous, node } = assignmentAt(index);
  const x = nodeOf(index);
  const owner = x > nItems ? `option ${references[optionOf[x]]}, item ${record.items[arrays.column[x] - 1]}` : "";
  const subject = owner ? `node ${x} (${owner})` : `item ${record.items[x - 1]}`;
  const [before, after] = [previous, value].map((number) => formatCell(array, number));
  // A secondary item is linked only to itself, so that removing it changes no link.
  const effect = before === after ? `stays ${after}` : `changes from ${before} to ${after}`;
  const other = array === "purifier" ? "color" : "option";
  const kind = node > nItems ? "node" : node ? "item" : other;
  const purpose = PURPOSES[kind][Number(isUndoing())];
  return `${purpose(subject)}: ${formulaOf(assignmentAt(index))} for x = ${x}. ${array}[${cell}] ${effect}.`;
}

function describeAttempt(step) {
  const text = `The partial solution grows: option ${references[step.option]} is added.`;
  const { lacking } = step;
  if (!lacking) return text;
  const few = arrays.need ? "too few" : "no";
  return `${text} But item ${record.items[lacking - 1]} has ${few} options left, so the attempt fails.`;
}
