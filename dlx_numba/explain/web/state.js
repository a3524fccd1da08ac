// The recorded arrays at the current step, and the state of items, options and nodes.

const record = JSON.parse(document.getElementById("record").textContent);
const steps = record.steps;
const arrays = {};
for (const [name, values] of Object.entries(record.arrays)) {
  arrays[name] = Float64Array.from(values); // represents uint32 and int32 exactly
}
const nItems = record.items.length;
const nOptions = record.options.length;
const nNodes = arrays.L.length;
const references = record.option_references; // the name of each option, or its number
const describeOption = (option) =>
  references[option] === String(option + record.first_option) ? `${references[option]} (${record.options[option]})` : references[option];
const optionOf = new Int32Array(nNodes).fill(-1);
for (let option = 0; option < nOptions; option++) {
  optionOf.fill(option, record.option_starts[option], record.option_starts[option + 1]);
}

// What a step does: "try", "undo", ..., or "none" if no further option is tried.
function roleOf({ name, option }) {
  const action = record.actions[Number(name.slice(1)) - 1];
  if (action === "try" && option < 0) return "none";
  return action === "prepare" ? "cover" : action;
}

// All assignments, in order. The arrays contain the first `nApplied` of them.
const assignments = [];
let nApplied = 0;

// Apply or revert assignments until the arrays contain the first `count` of them.
function applyAssignments(count) {
  while (nApplied < count) {
    const { array, cell, value } = assignments[nApplied++];
    arrays[array][cell] = value;
  }
  while (nApplied > count) {
    const { array, cell, previous } = assignments[--nApplied];
    arrays[array][cell] = previous;
  }
}

// Decode the assignments of a change, which `encode_assignments` in page.py abbreviates.
function decodeAssignments(text) {
  const names = Object.keys(arrays);
  let link = {}; // the last assignment to a link, and the last difference
  let difference = 0;
  for (const [, letter, index, number] of text.matchAll(/([A-Z])([0-9a-z]*)(?:,(-?[0-9a-z]+))?/g)) {
    const array = names[letter.charCodeAt(0) - 65];
    const cell = index ? parseInt(index, 36) : link.value;
    const previous = arrays[array][cell];
    let value = index ? link.value : link.cell;
    if (record.counters.includes(array)) {
      if (number) difference = parseInt(number, 36);
      value = previous + difference;
    } else {
      if (number) value = parseInt(number, 36);
      link = { cell, value };
    }
    assignments.push({ array, cell, value, previous });
    applyAssignments(assignments.length);
  }
}

// Replay the record once. Each step and each change gets the range of its assignments, and each
// node of the search tree the size of its item.
for (const step of steps) {
  step.start = nApplied;
  step.changes = step.changes.map(([item, text]) => {
    const start = nApplied;
    decodeAssignments(text);
    return { item, start, end: nApplied };
  });
  step.end = nApplied;
  if (roleOf(step) === "choose") record.tree[step.tree_node].size = arrays.size[step.item];
}
applyAssignments(0);

// The steps that find a cover.
const coverSteps = [...steps.keys()].filter((index) => roleOf(steps[index]) === "visit");

const isPrimary = (item) => item <= record.n_primary;
// With multiplicities, the size of an item that lacks more than one option is negative.
const toSigned = (size) => (size < 3 * record.covered_offset ? size : size - 2 ** 32);
const isCovered = (item) =>
  toSigned(arrays.size[item]) >= (isPrimary(item) ? 1 : 2) * record.covered_offset;
const colorOf = (node) => (record.node_colors ? record.node_colors[node] : 0);
const colorName = (node) => record.colors[colorOf(node) - 1];
const purifierOf = (item) => (arrays.purifier ? arrays.purifier[item] : 0);
// An unlinked node keeps its links, but its neighbors no longer link to it.
const isHidden = (node) => arrays.D[arrays.U[node]] !== node;

function sizeOf(item) {
  return toSigned(arrays.size[item]) % record.covered_offset;
}

// The number of options that an item can still take. Bounds above nOptions have no effect.
function formatCapacity(item) {
  return arrays.capacity[item] > nOptions ? "∞" : String(arrays.capacity[item]);
}

// Whether a node prevents its option from being chosen.
function isRemoved(node) {
  const item = arrays.column[node];
  const purifier = purifierOf(item);
  return isHidden(node) || isCovered(item) || (purifier !== 0 && colorOf(purifier) !== colorOf(node));
}

// The untried options of the current item.
function untriedOptions() {
  const untried = new Set();
  const { item, option } = completedStep();
  const role = roleOf(completedStep());
  if (!item || role === "choose" || role === "none" || sizeOf(item) === 0) return untried;
  if (role === "tweak") untried.add(option);
  // The list of an item that is not covered no longer contains the options that were tried.
  let reached = option < 0 || !isCovered(item);
  for (let node = arrays.D[item]; node !== item; node = arrays.D[node]) {
    if (reached) untried.add(optionOf[node]);
    else if (optionOf[node] === option) reached = true;
  }
  return untried;
}

// The state of each option: "chosen", "untried", "active" or "removed".
function optionStates() {
  const chosen = new Set(completedStep().chosen);
  const untried = untriedOptions();
  return record.options.map((_, option) => {
    if (chosen.has(option)) return "chosen";
    if (untried.has(option)) return "untried";
    return isLeft(option) ? "active" : "removed";
  });
}

// The nodes of an option, in the order of the links, or from the node of an item on.
function nodesOf(option, item = 0) {
  const [start, end] = record.option_starts.slice(option, option + 2);
  const nodes = Array.from({ length: end - start }, (_, k) => start + k);
  const first = nodes.findIndex((node) => arrays.column[node] === item);
  return first > 0 ? [...nodes.slice(first), ...nodes.slice(0, first)] : nodes;
}

// Whether no node of an option is removed, so that it can be chosen.
function isLeft(option, removed = isShownRemoved) {
  const end = record.option_starts[option + 1];
  for (let node = record.option_starts[option]; node < end; node++) if (removed(node)) return false;
  return true;
}

// The text of a matrix entry: "1", or the mark of its color.
function entryText(node) {
  const color = colorOf(node);
  return color ? record.color_marks[color - 1] : "1";
}
