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
const optionOf = new Int32Array(nNodes).fill(-1);
for (let option = 0; option < nOptions; option++) {
  optionOf.fill(option, record.option_starts[option], record.option_starts[option + 1]);
}

let stepIndex = 0; // the current step

// The record contains only the new values. Replay it once to find the previous ones.
for (const step of steps) {
  step.previous = {};
  for (const [name, cells] of Object.entries(step.changes)) {
    step.previous[name] = [];
    for (let i = 0; i < cells.length; i += 2) {
      step.previous[name].push(cells[i], arrays[name][cells[i]]);
      arrays[name][cells[i]] = cells[i + 1];
    }
  }
}
for (let k = steps.length - 1; k > 0; k--) assignCells(steps[k].previous);

function assignCells(changes) {
  for (const [name, cells] of Object.entries(changes)) {
    for (let i = 0; i < cells.length; i += 2) arrays[name][cells[i]] = cells[i + 1];
  }
}

function moveTo(target) {
  target = Math.max(0, Math.min(steps.length - 1, target));
  while (stepIndex < target) assignCells(steps[++stepIndex].changes);
  while (stepIndex > target) assignCells(steps[stepIndex--].previous);
}

// The indices of the cells of an array that the current step changed.
function changedCells(name) {
  return new Set((steps[stepIndex].changes[name] ?? []).filter((_, i) => i % 2 === 0));
}

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
  return isHidden(node) || isCovered(item) || wrongColor;
}

// The untried options of the current item.
function untriedOptions() {
  const untried = new Set();
  const { item, option, name } = steps[stepIndex];
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
  const chosen = new Set(steps[stepIndex].chosen);
  const untried = untriedOptions();
  return record.options.map((_, option) => {
    if (chosen.has(option)) return "chosen";
    if (untried.has(option)) return "untried";
    for (let node = record.option_starts[option]; node < record.option_starts[option + 1]; node++) {
      if (isRemoved(node)) return "removed";
    }
    return "active";
  });
}

// The text of a matrix entry: "1", or the mark of its color.
function entryText(node) {
  const color = colorOf(node);
  return color ? record.color_marks[color - 1] : "1";
}
