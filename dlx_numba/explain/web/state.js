// The arrays of the search as they stand at a step, and what they tell.

const record = JSON.parse(document.getElementById("record").textContent);
const steps = record.steps;
const arrays = {};
for (const [name, values] of Object.entries(record.arrays)) {
  arrays[name] = Float64Array.from(values); // which holds uint32 and int32 alike
}
const nItems = record.items.length;
const nOptions = record.options.length;
const nNodes = arrays.L.length;
const optionOf = new Int32Array(nNodes).fill(-1);
for (let option = 0; option < nOptions; option++) {
  optionOf.fill(option, record.starts[option], record.starts[option + 1]);
}

let at = 0; // the step that is shown

// The record has new values only; one pass through it finds the old ones.
for (const step of steps) {
  step.old = {};
  for (const [name, cells] of Object.entries(step.changes)) {
    step.old[name] = [];
    for (let i = 0; i < cells.length; i += 2) {
      step.old[name].push(cells[i], arrays[name][cells[i]]);
      arrays[name][cells[i]] = cells[i + 1];
    }
  }
}
for (let k = steps.length - 1; k > 0; k--) put(steps[k].old);

function put(changes) {
  for (const [name, cells] of Object.entries(changes)) {
    for (let i = 0; i < cells.length; i += 2) arrays[name][cells[i]] = cells[i + 1];
  }
}

function moveTo(target) {
  target = Math.max(0, Math.min(steps.length - 1, target));
  while (at < target) put(steps[++at].changes);
  while (at > target) put(steps[at--].old);
}

// The indices of an array that the step changed.
function changedCells(name) {
  return new Set((steps[at].changes[name] ?? []).filter((_, i) => i % 2 === 0));
}

const isPrimary = (item) => item <= record.primary;
// With multiplicities, an item that lacks more than one option has a size below 0.
const signed = (size) => (size < 3 * record.covered ? size : size - 2 ** 32);
const isCovered = (item) => signed(arrays.size[item]) >= (isPrimary(item) ? 1 : 2) * record.covered;
const colorOf = (node) => (record.colorOf ? record.colorOf[node] : 0);
const purifier = (item) => (arrays.purifier ? arrays.purifier[item] : 0);
// The links of a node lead away from it, but none leads to it.
const isHidden = (node) => arrays.D[arrays.U[node]] !== node;

function sizeOf(item) {
  return signed(arrays.size[item]) % record.covered;
}

// How many options an item may still have; more than there are is as good as any number.
function roomOf(item) {
  return arrays.room[item] > nOptions ? "∞" : String(arrays.room[item]);
}

function isOut(node) {
  const item = arrays.column[node];
  const pure = purifier(item);
  return isHidden(node) || isCovered(item) || (pure !== 0 && colorOf(pure) !== colorOf(node));
}

// The options of the item in hand which are still to be tried, as far as they are in its list.
function waiting() {
  const found = new Set();
  const { item, option, name } = steps[at];
  const takesNone = name === "M6" && option < 0;
  if (!item || name.endsWith("3") || takesNone || sizeOf(item) === 0) return found;
  if (name === "M5") found.add(option);
  // An item that stays in the list has lost the options that were tried with it.
  let reached = option < 0 || !isCovered(item);
  for (let node = arrays.D[item]; node !== item; node = arrays.D[node]) {
    if (reached) found.add(optionOf[node]);
    else if (optionOf[node] === option) reached = true;
  }
  return found;
}

// Of each option: "chosen", "waiting", "left" or "out".
function optionStates() {
  const chosen = new Set(steps[at].chosen);
  const inHand = waiting();
  return record.options.map((_, option) => {
    if (chosen.has(option)) return "chosen";
    if (inHand.has(option)) return "waiting";
    for (let node = record.starts[option]; node < record.starts[option + 1]; node++) {
      if (isOut(node)) return "out";
    }
    return "left";
  });
}

// The letter of a matrix entry: 1, or that of its colour.
function entryText(node) {
  const color = colorOf(node);
  return color ? record.marks[color - 1] : "1";
}
