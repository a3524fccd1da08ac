// Descriptions of the phases of a step.

const MAX_LISTED = 8; // options or items in one sentence

function enumerate(noun, names) {
  if (names.length === 1) return `${noun} ${names[0]}`;
  const listed = names.slice(0, MAX_LISTED).map((name) => (name.includes(",") ? `(${name})` : name));
  if (names.length > MAX_LISTED) listed.push(`${names.length - MAX_LISTED} more`);
  return `${noun}s ${new Intl.ListFormat("en").format(listed)}`;
}

const enumerateOptions = (options) => enumerate("option", options.map((option) => references[option]));
const enumerateItems = (items) => enumerate("item", items.map((item) => record.items[item - 1]));
const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// The options of which a change hides or restores nodes.
function optionsOfChange({ start, end }) {
  const nodes = [...assignments.node.subarray(start, end)].filter((node) => node > nItems);
  return [...new Set(nodes.map((node) => optionOf[node]))].sort((a, b) => a - b);
}

// The description of the current phase.
function phaseText() {
  const step = steps[stepIndex];
  const { kind, nChanges } = currentPhase();
  if (kind === "complete") return isDetailed() && step.role === "try" ? describeAttempt(step) : step.text;
  if (kind === "before") return `Next: ${step.text}`;
  if (kind === "link") return describeAssignment(nApplied - 1);
  if (kind === "row") return `Select the row of option ${references[step.option]}.`;
  if (kind === "columns") {
    const columns = optionNodes[step.option].map((node) => arrays.column[node]);
    const first = columns.indexOf(step.item);
    return `Select its columns: ${enumerateItems([...columns.slice(first), ...columns.slice(0, first)])}.`;
  }
  if (kind === "related") {
    const related = steps[stepIndex].related;
    if (!related.length) return "No other row that is left conflicts with it.";
    return `Select the rows that conflict with it, and will be removed: ${enumerateOptions(related)}.`;
  }
  const change = step.changes[nChanges - 1];
  return change.item ? describeChange(change) : describeItems();
}

// The items that an option takes, before its other options are hidden.
function describeItems() {
  const listed = ["size", "capacity"].flatMap((name) => [...changedCells(name).keys()]);
  const items = [...new Set(listed)].sort((a, b) => a - b);
  const removed = items.filter(isCovered);
  const used = items.filter((item) => !isCovered(item));
  const sentences = [];
  if (used.length) sentences.push(`Count the option for ${enumerateItems(used)}, which can take more.`);
  if (removed.length) sentences.push(`Remove ${enumerateItems(removed)} from the item list.`);
  return sentences.join(" ");
}

function describeChange(change) {
  const { item } = change;
  const options = optionsOfChange(change);
  const listed = options.length ? enumerateOptions(options) : "no options";
  const isPurified = changedCells("purifier").size > 0;
  const name = `item ${record.items[item - 1]}`;
  if (isUndoing()) return `${isPurified ? "Unpurify" : "Uncover"} ${name}: restore ${listed}.`;
  return `${isPurified ? `Purify ${name} to color ${colorName(purifierOf(item))}` : `Cover ${name}`}: hide ${listed}.`;
}

// What an assignment does, and what it does when a step is undone.
const PURPOSES = {
  item: [(x) => `Remove ${x} from the item list`, (x) => `Return ${x} to the item list`],
  node: [(x) => `Hide ${x}`, (x) => `Restore ${x}`],
  color: [(x) => `Give ${x} a color`, (x) => `Take the color from ${x}`],
  option: [(x) => `${capitalize(x)} takes the option`, (x) => `${capitalize(x)} returns the option`],
};

// Such as "Hide node 22 (option 5, item 3): D[U[x]] ← D[x] for x = 22. D[12] changes from 22 to 4."
function describeAssignment(index) {
  const [array, cell, difference, node] = ["array", "cell", "difference", "node"].map((field) => assignments[field][index]);
  const name = arrayNames[array];
  const x = nodeOf(index);
  const item = `item ${record.items[arrays.column[x] - 1]}`;
  const subject = x > nItems ? `node ${x} (option ${references[optionOf[x]]}, ${item})` : item;
  const value = arrays[name][cell];
  const [before, after] = [value - difference, value].map((number) => formatCell(name, number));
  // A secondary item is linked only to itself, so that removing it changes no link.
  const effect = difference === 0 ? `stays ${after}` : `changes from ${before} to ${after}`;
  const other = name === "purifier" ? "color" : "option";
  const purpose = PURPOSES[node > nItems ? "node" : node ? "item" : other][Number(isUndoing())];
  const opposite = { L: "R", R: "L", U: "D", D: "U" }[name];
  const target = `${name}[${opposite ? `${opposite}[x]` : node > nItems ? "column[x]" : "x"}]`;
  const change = difference | 0; // sizes are unsigned
  let result = `${target} ${change < 0 ? "−" : "+"} ${Math.abs(change) === 1 ? 1 : "C"}`;
  if (name === "purifier") result = value ? "node" : 0;
  if (opposite) result = isUndoing() ? "x" : `${name}[x]`;
  return `${purpose(subject)}: ${target} ← ${result} for x = ${x}. ${name}[${cell}] ${effect}.`;
}

function describeAttempt({ option, lacking }) {
  const few = arrays.need ? "too few" : "no";
  const failure = ` But item ${record.items[lacking - 1]} has ${few} options left, so the attempt fails.`;
  return `The partial solution grows: option ${references[option]} is added.${lacking ? failure : ""}`;
}
