// The recorded arrays at the current step, and the state of items, options and nodes.

async function readRecord() {
  const packed = Uint8Array.from(atob(byId("record").textContent), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

if (!window.DecompressionStream) return setText(byId("ending"), "This page requires a browser of 2024 or later.");
const record = await readRecord();
const { steps, tree } = record;
const arrays = {};
for (const [name, differences] of Object.entries(record.arrays)) {
  let value = 0;
  arrays[name] = Float64Array.from(differences, (difference) => (value += difference)); // also uint32
}
const nItems = record.items.length;
const nOptions = record.options.length;
const nNodes = arrays.L.length;
const { references } = record; // the name of each option, or its items
// As references, with their numbers
const optionTitles = record.options.map((description, option) => `${record.option_numbers[option]}: ${description}`);
const nodeNumbers = [...Array(nNodes).keys()];
// Of each option, in the order of the links
const optionNodes = references.map((_, option) => nodeNumbers.slice(...record.option_starts.slice(option, option + 2)));
const optionOf = new Int32Array(nNodes).fill(-1);
for (let option = 0; option < nOptions; option++) {
  optionOf.fill(option, record.option_starts[option], record.option_starts[option + 1]);
}

// All assignments, in order. The arrays contain the first `nApplied` of them.
const arrayNames = Object.keys(arrays);
const assignments = {
  array: new Uint8Array(record.n_assignments), // its place in arrayNames
  cell: new Int32Array(record.n_assignments),
  difference: new Float64Array(record.n_assignments), // from the old value to the new one
  node: new Int32Array(record.n_assignments), // the item or node that it unlinks or restores, or 0
};
let nApplied = 0;

// Apply or revert assignments until the arrays contain the first `count` of them.
function applyAssignments(count) {
  const { array, cell, difference } = assignments;
  const targets = Object.values(arrays);
  for (; nApplied < count; nApplied++) targets[array[nApplied]][cell[nApplied]] += difference[nApplied];
  for (; nApplied > count; nApplied--) targets[array[nApplied - 1]][cell[nApplied - 1]] -= difference[nApplied - 1];
}

const unlinked = []; // the items and nodes that can be restored, the last one first

function assign(name, cell, difference, node = 0) {
  const k = nApplied++;
  assignments.array[k] = arrayNames.indexOf(name);
  assignments.cell[k] = cell;
  assignments.difference[k] = difference;
  assignments.node[k] = node;
  arrays[name][cell] += difference;
}

// Unlinks an item or a node, or restores it.
function changeLinks(node, restores) {
  const [backward, forward] = node <= nItems ? ["L", "R"] : ["U", "D"];
  const [before, after] = [arrays[backward][node], arrays[forward][node]];
  const item = arrays.column[node];
  const sign = restores ? -1 : 1;
  const size = (arrays.size[item] + sign * (node <= nItems ? record.covered_offset : -1) + 2 ** 32) % 2 ** 32;
  const changes = [
    [forward, before, sign * (after - node)],
    [backward, after, sign * (before - node)],
    ["size", item, size - arrays.size[item]],
  ];
  // `dancing_links` changes L before R, and U before D; when it restores a node, its size comes first.
  if (record.is_literal) changes.splice(0, 2, changes[1], changes[0]);
  if (record.is_literal && restores && node > nItems) changes.unshift(changes.pop());
  for (const [name, cell, difference] of changes) assign(name, cell, difference, node);
}

// Performs the assignments of a change, which encoding.py describes.
function decodeChange(item, tokens) {
  let last = item;
  for (const token of tokens) {
    if (token === null) changeLinks(unlinked.pop(), true);
    else if (Array.isArray(token)) {
      assign(arrayNames[token[0]], token[1], token[2]);
    } else {
      last += token;
      unlinked.push(last);
      changeLinks(last, false);
    }
  }
}

// Replay the record once. Each step and each change gets the range of its assignments.
for (const step of steps) {
  // What it does: "try", "undo", ..., or "none" if no further option is tried
  step.role = step.action === "try" && step.option < 0 ? "none" : step.action;
  step.start = nApplied;
  step.changes = step.changes.map(([item, tokens]) => {
    const start = nApplied;
    decodeChange(item, tokens);
    return { item, start, end: nApplied };
  });
  step.end = nApplied;
}
applyAssignments(0);

// The steps that find a cover.
const coverSteps = [...steps.keys()].filter((index) => steps[index].role === "visit");

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

const sizeOf = (item) => toSigned(arrays.size[item]) % record.covered_offset;

// The number of options that an item can still take. Bounds above nOptions have no effect.
const formatCapacity = (item) => (arrays.capacity[item] > nOptions ? "∞" : String(arrays.capacity[item]));

// Whether a node prevents its option from being chosen.
function isRemoved(node) {
  const item = arrays.column[node];
  const purifier = purifierOf(item);
  return isHidden(node) || isCovered(item) || (purifier !== 0 && colorOf(purifier) !== colorOf(node));
}

// The untried options of the current item.
function untriedOptions() {
  const untried = new Set();
  const { item, option, role } = completedStep();
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
  const states = record.options.map((_, option) => (isLeft(option) ? "active" : "removed"));
  for (const option of untriedOptions()) states[option] = "untried";
  for (const option of completedStep().chosen) states[option] = "chosen";
  return states;
}

// Whether no node of an option is removed, so that it can be chosen.
const isLeft = (option) => !optionNodes[option].some(isShownRemoved);

// The text of a matrix entry: "1", or the mark of its color.
const entryText = (node) => record.color_marks[colorOf(node) - 1] ?? "1";
