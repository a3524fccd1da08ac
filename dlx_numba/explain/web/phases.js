// Steps and their phases. The last phase completes a step. How many other phases are shown depends
// on the granularity: "steps" (none), "substeps" or "links" (each assignment).

// Each phase has the number of changes of its step, and of all assignments, that precede it.
const completed = ({ changes, end }) => ({ kind: "complete", nChanges: changes.length, end });

// The sub-steps of a step. The phase before a change draws the links that will change bold.
function substepsOf(step) {
  const { changes, start } = step;
  const isAttempt = step.role === "try";
  const kinds = isAttempt ? ["row", "columns", "related"] : changes.length ? ["before"] : [];
  const phases = changes.map(({ end }, k) => ({ kind: "change", nChanges: k + 1, end }));
  // The last change completes a step, except that a longer partial solution completes an attempt.
  if (!isAttempt) phases.pop();
  return [...kinds.map((kind) => ({ kind, nChanges: 0, end: start })), ...phases, completed(step)];
}

// The same, with a phase for each assignment.
function linksOf(step) {
  const phases = step.start < step.end ? [{ kind: "before", nChanges: 0, end: step.start }] : [];
  step.changes.forEach((change, k) => {
    for (let end = change.start + 1; end <= change.end; end++) {
      phases.push({ kind: "link", nChanges: k + (end === change.end), end });
    }
  });
  return [...phases, completed(step)];
}

const GRANULARITIES = {
  steps: (step) => [completed(step)],
  substeps: substepsOf,
  links: linksOf,
};

let granularity = "steps";
let firstPosition = [...steps.keys(), steps.length]; // of each step; positions count phases
let isCondensed = false; // whether the matrix shows only the rows and columns that are left
let stepIndex = 0; // the current step
let phaseIndex = 0; // its current phase
let phases = [completed(steps[0])]; // of the current step

const isDetailed = () => granularity !== "steps";
const currentPhase = () => phases[phaseIndex];
const isComplete = () => phaseIndex === phases.length - 1;
// The last step that is complete: options are chosen when a step is complete.
const completedIndex = () => (isComplete() ? stepIndex : stepIndex - 1);
const completedStep = () => steps[completedIndex()];

// The current step stays the same. Afterwards, `moveTo` must select one of its phases.
function setGranularity(name) {
  granularity = name;
  firstPosition = [0];
  for (const step of steps) {
    firstPosition.push(firstPosition.at(-1) + GRANULARITIES[name](step).length);
  }
}

function moveTo(step, phase) {
  stepIndex = Math.max(0, Math.min(steps.length - 1, step));
  phases = GRANULARITIES[granularity](steps[stepIndex]);
  phaseIndex = Math.max(0, Math.min(phases.length - 1, phase));
  applyAssignments(currentPhase().end);
}

const lastPosition = () => firstPosition.at(-1) - 1;
const position = () => firstPosition[stepIndex] + phaseIndex;

function moveToPosition(target) {
  target = Math.max(0, Math.min(lastPosition(), target));
  const step = firstPosition.findLastIndex((first) => first <= target);
  moveTo(step, target - firstPosition[step]);
}

// The node or item that an assignment links, unlinks or counts: x in the formulas of links.
const nodeOf = (index) => assignments.node[index] || assignments.cell[index];

// The node of the assignment that the next phase makes, or else of the last one.
function movingNode() {
  if (phases[phaseIndex + 1]?.kind === "link") return nodeOf(nApplied);
  return currentPhase().kind === "link" ? nodeOf(nApplied - 1) : undefined;
}

// The cells of an array that the current phase (or the step, without sub-steps) changed, with
// their previous values.
const changedCells = (name) =>
  differingCells(name, -1, phases[phaseIndex - 1]?.end ?? steps[stepIndex].start, nApplied);

// The cells of an array that the next phase of the step changes, with their next values.
const pendingCells = (name) => differingCells(name, 1, nApplied, phases[phaseIndex + 1]?.end ?? 0);

// The cells that assignments change, with their values before (-1) or after them (1). Link by link,
// assignments of the same value count.
function differingCells(name, sign, start, end) {
  const cells = new Map();
  const { array, cell, difference } = assignments;
  for (let k = start; k < end; k++) {
    if (arrayNames[array[k]] !== name) continue;
    cells.set(cell[k], (cells.get(cell[k]) ?? arrays[name][cell[k]]) + sign * difference[k]);
  }
  if (granularity === "links") return cells;
  return new Map([...cells].filter(([cell, value]) => value !== arrays[name][cell]));
}

// An item of an option leaves the item list before its options are hidden, and returns after they
// are restored. In between, its column is shaded, but its options are still shown as they were.
function isShownRemoved(node) {
  return isHidden(node) || (isRemoved(node) && !isUnfinished(arrays.column[node]));
}

function isUnfinished(item) {
  if (isComplete()) return false; // this function is called for each node
  const own = steps[stepIndex].changes.findIndex((change) => change.item === item);
  return own >= 0 && isUndoing() === own < currentPhase().nChanges;
}

const isUndoing = () => ["undo", "backtrack"].includes(steps[stepIndex].role);

// The items that a step covers, purifies, uses or restores.
function itemsOfStep(step) {
  const ofOption = ["try", "undo", "tweak"].includes(step.role);
  if (ofOption) return optionNodes[step.option].map((node) => arrays.column[node]);
  return step.changes.map(({ item }) => item).filter(Boolean);
}

// What the current phase highlights: an option, items, and the related options, which the step
// removes or restores. Null if the step is complete.
function focusOfPhase() {
  if (isComplete()) return null;
  const step = steps[stepIndex];
  const { kind } = currentPhase();
  const items = new Set(kind === "row" ? [] : itemsOfStep(step));
  const related = new Set(kind === "row" || kind === "columns" ? [] : step.related);
  return { option: step.option, items, related };
}

// What the sentence names: an option, items, the related options, which the step removes or
// restores, and the item that has too few options left, or 0.
function namedInSentence() {
  const focus = focusOfPhase();
  if (focus) return { ...focus, lacking: 0 };
  const step = steps[stepIndex];
  const { lacking } = step;
  const items = new Set([...itemsOfStep(step), step.item, lacking].filter(Boolean));
  const option = { skip: -1, return: tree[step.tree_node].option }[step.role] ?? step.option;
  return { option, items, related: new Set(step.related), lacking };
}

const isEndOfSearch = () => record.is_complete && completedIndex() === steps.length - 1;
