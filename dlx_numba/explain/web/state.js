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
  references[option] === String(option) ? `${option} (${record.options[option]})` : references[option];
const optionOf = new Int32Array(nNodes).fill(-1);
for (let option = 0; option < nOptions; option++) {
  optionOf.fill(option, record.option_starts[option], record.option_starts[option + 1]);
}

// The changes of all steps, in order. The arrays contain the first `nApplied` of them, and the
// first `nAssigned` assignments of the next one.
const changes = [];
let nApplied = 0;
let nAssigned = 0;
for (const step of steps) {
  step.firstChange = changes.length;
  for (const [item, cells] of step.changes) changes.push({ item, cells, previous: {} });
}

// The record contains only the new values. Replay it once to find the previous ones, and the size
// of the item at each node of the search tree.
for (const step of steps) {
  for (const { cells, previous } of changes.slice(step.firstChange, step.firstChange + step.changes.length)) {
    for (const [name, list] of Object.entries(cells)) {
      previous[name] = list.map((value, i) => (i % 2 ? arrays[name][list[i - 1]] : value));
    }
    assignCells(cells);
  }
  if (step.name.endsWith("3")) record.tree[step.tree_node].size = arrays.size[step.item];
}
nApplied = changes.length;
applyChanges(0);

function assignCells(cells) {
  for (const [name, list] of Object.entries(cells)) {
    for (let i = 0; i < list.length; i += 2) arrays[name][list[i]] = list[i + 1];
  }
}

// Apply or revert changes until the arrays contain the first `count` of them, and the first
// `nAssignments` assignments of the next one.
function applyChanges(count, nAssignments = 0) {
  while (nAssigned > 0) {
    const { array, cell, previous } = changes[nApplied].assignments[--nAssigned];
    arrays[array][cell] = previous;
  }
  while (nApplied < count) assignCells(changes[nApplied++].cells);
  while (nApplied > count) assignCells(changes[--nApplied].previous);
  while (nAssigned < nAssignments) {
    const { array, cell, value } = changes[nApplied].assignments[nAssigned++];
    arrays[array][cell] = value;
  }
}

// The steps that find a cover.
const coverSteps = [...steps.keys()].filter((index) => steps[index].name.endsWith("2"));

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

function isRemoved(node) {
  const item = arrays.column[node];
  const purifier = purifierOf(item);
  const wrongColor = purifier !== 0 && colorOf(purifier) !== colorOf(node);
  return isHidden(node) || ((isCovered(item) || wrongColor) && !isUnfinished(item));
}

// The untried options of the current item.
function untriedOptions() {
  const untried = new Set();
  const { item, option, name } = completedStep();
  const triesNone = name === "M6" && option < 0;
  if (!item || name.endsWith("3") || triesNone || sizeOf(item) === 0) return untried;
  if (name === "M5") untried.add(option);
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

// Whether all nodes of an option are linked, so that it can be chosen.
function isLeft(option) {
  const end = record.option_starts[option + 1];
  for (let node = record.option_starts[option]; node < end; node++) if (isRemoved(node)) return false;
  return true;
}

// The text of a matrix entry: "1", or the mark of its color.
function entryText(node) {
  const color = colorOf(node);
  return color ? record.color_marks[color - 1] : "1";
}
