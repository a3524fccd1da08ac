// The arrays of the search as they stand at a step, and what they tell.

const record = JSON.parse(document.getElementById("record").textContent);
const steps = record.steps;
const arrays = {};
for (const [name, values] of Object.entries(record.arrays)) {
  arrays[name] = Uint32Array.from(values);
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

const isPrimary = (item) => item <= record.primary;
const isCovered = (item) => arrays.size[item] >= (isPrimary(item) ? 1 : 2) * record.covered;
const colorOf = (node) => (record.colorOf ? record.colorOf[node] : 0);
const purifier = (item) => (arrays.purifier ? arrays.purifier[item] : 0);
// The links of a node lead away from it, but none leads to it.
const isHidden = (node) => arrays.D[arrays.U[node]] !== node;

function sizeOf(item) {
  return arrays.size[item] % record.covered;
}

function isOut(node) {
  const item = arrays.column[node];
  const pure = purifier(item);
  return isHidden(node) || isCovered(item) || (pure !== 0 && colorOf(pure) !== colorOf(node));
}

// The options in hand: those of the item that is covered which are still to be tried.
function waiting() {
  const found = new Set();
  const { item, name, chosen } = steps[at];
  if (!item || name.endsWith("3")) return found;
  const last = chosen[chosen.length - 1];
  let reached = name.endsWith("4");
  const tried = name.endsWith("6") ? takenBack() : last;
  for (let node = arrays.D[item]; node !== item; node = arrays.D[node]) {
    if (reached) found.add(optionOf[node]);
    else if (optionOf[node] === tried) reached = true;
  }
  return found;
}

function takenBack() {
  const before = steps[at - 1];
  if (before.name.endsWith("5")) return before.chosen[before.chosen.length - 1];
  return steps[at - 1].chosen[steps[at].chosen.length]; // behind X8
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
