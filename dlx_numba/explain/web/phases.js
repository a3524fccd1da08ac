// Steps and their phases. The last phase completes a step. How many other phases are shown depends
// on the granularity: "steps" (none), "substeps" or "links" (each assignment).

// The role of a step: "try", "undo", "cover", "tweak", "backtrack" or "" (it changes nothing).
function roleOf({ name, option }) {
  const rolesX = ["", "", "", "", "cover", "try", "undo", "backtrack", ""];
  const rolesM = ["", "", "", "", "cover", "tweak", "try", "undo", "backtrack", ""];
  const role = (arrays.need ? rolesM : rolesX)[Number(name.slice(1))];
  return role === "try" && option < 0 ? "" : role; // none is tried
}

// The sub-steps of a step. Each has a number of changes, which the arrays contain after it. The
// phase before a change draws the links that will change bold.
function substepsOf(step) {
  const role = roleOf(step);
  const n = step.changes.length;
  const kinds = role === "try" ? ["row", "columns", "related"] : n ? ["before"] : [];
  const phases = kinds.map((kind) => ({ kind, nChanges: 0, nAssignments: 0 }));
  // The last change completes a step, except that a longer partial solution completes an attempt.
  const nSeparate = role === "try" ? n : n - 1;
  for (let k = 1; k <= nSeparate; k++) phases.push({ kind: "change", nChanges: k, nAssignments: 0 });
  return [...phases, { kind: "complete", nChanges: n, nAssignments: 0 }];
}

// The same, with a phase for each assignment.
function assignmentsOf(step) {
  const n = step.changes.length;
  const phases = step.nAssignments ? [{ kind: "before", nChanges: 0, nAssignments: 0 }] : [];
  for (let k = 0; k < n; k++) {
    const count = changes[step.firstChange + k].assignments.length;
    for (let i = 1; i < count; i++) phases.push({ kind: "link", nChanges: k, nAssignments: i });
    if (count) phases.push({ kind: "link", nChanges: k + 1, nAssignments: 0 });
  }
  return [...phases, { kind: "complete", nChanges: n, nAssignments: 0 }];
}

const GRANULARITIES = {
  steps: {
    count: () => 1,
    phases: (step) => [{ kind: "complete", nChanges: step.changes.length, nAssignments: 0 }],
  },
  substeps: { count: (step) => substepsOf(step).length, phases: substepsOf },
  links: {
    prepare: deriveAssignments,
    count: (step) => step.nAssignments + (step.nAssignments ? 2 : 1),
    phases: assignmentsOf,
  },
};

let granularity = "steps";
let firstPosition = [...steps.keys(), steps.length]; // of each step; positions count phases
let isCondensed = false; // whether the matrix shows only the rows and columns that are left
let stepIndex = 0; // the current step
let phaseIndex = 0; // its current phase
let phases = GRANULARITIES.steps.phases(steps[0]); // of the current step

const isDetailed = () => granularity !== "steps";
const lastPhase = (step) => firstPosition[step + 1] - firstPosition[step] - 1;
const currentPhase = () => phases[phaseIndex];
const isComplete = () => phaseIndex === phases.length - 1;
// The last step that is complete: options are chosen when a step is complete.
const completedIndex = () => (isComplete() ? stepIndex : stepIndex - 1);
const completedStep = () => steps[completedIndex()];

// The current step stays the same. Afterwards, `moveTo` must select one of its phases.
function setGranularity(name) {
  const { prepare, count } = GRANULARITIES[name];
  if (prepare && !GRANULARITIES[name].isPrepared) {
    prepare();
    GRANULARITIES[name].isPrepared = true;
  }
  granularity = name;
  firstPosition = [0];
  for (const step of steps) firstPosition.push(firstPosition.at(-1) + count(step));
}

function moveTo(step, phase) {
  stepIndex = Math.max(0, Math.min(steps.length - 1, step));
  phases = GRANULARITIES[granularity].phases(steps[stepIndex]);
  phaseIndex = Math.max(0, Math.min(phases.length - 1, phase));
  const { nChanges, nAssignments } = currentPhase();
  applyChanges(steps[stepIndex].firstChange + nChanges, nAssignments);
}

const lastPosition = () => firstPosition.at(-1) - 1;
const position = () => firstPosition[stepIndex] + phaseIndex;

function moveToPosition(target) {
  target = Math.max(0, Math.min(lastPosition(), target));
  const step = firstPosition.findLastIndex((first) => first <= target);
  moveTo(step, target - firstPosition[step]);
}

// The assignment that led to the current phase, or null.
function currentAssignment() {
  if (currentPhase().kind !== "link") return null;
  return nAssigned
    ? changes[nApplied].assignments[nAssigned - 1]
    : changes[nApplied - 1].assignments.at(-1);
}

// The assignment that the next phase makes, or null.
function nextAssignment() {
  if (granularity !== "links" || phases[phaseIndex + 1]?.kind !== "link") return null;
  let index = nApplied;
  while (!changes[index].assignments.length) index++; // a change can be empty
  return changes[index].assignments[nAssigned];
}

// The cells of an array that the current phase (or the step, without sub-steps) changed, with
// their previous values.
function changedCells(name) {
  const cells = new Map();
  const assignment = currentAssignment();
  if (assignment) {
    if (assignment.array === name) cells.set(assignment.cell, assignment.previous);
    return cells;
  }
  if (granularity === "links") return cells;
  const { firstChange } = steps[stepIndex];
  const nBefore = phaseIndex > 0 ? phases[phaseIndex - 1].nChanges : 0;
  for (let k = firstChange + nBefore; k < nApplied; k++) {
    const list = changes[k].previous[name] ?? [];
    for (let i = 0; i < list.length; i += 2) {
      if (!cells.has(list[i])) cells.set(list[i], list[i + 1]);
    }
  }
  for (const [cell, value] of cells) if (arrays[name][cell] === value) cells.delete(cell);
  return cells;
}

// The indices of the cells of an array that the next phase of the step changes.
function pendingCells(name) {
  if (isComplete()) return new Set();
  if (granularity === "links") {
    const assignment = nextAssignment();
    return new Set(assignment?.array === name ? [assignment.cell] : []);
  }
  const isChange = phases[phaseIndex + 1].nChanges > currentPhase().nChanges;
  const list = (isChange && changes[nApplied].cells[name]) || [];
  return new Set(list.filter((_, i) => i % 2 === 0));
}

// An item of an option leaves the item list before its options are hidden, and returns after they
// are restored. In between, its column is shaded, but its options are still shown as they were.
function isUnfinished(item) {
  if (isComplete()) return false; // this function is called for each node
  const { firstChange, changes: ownChanges } = steps[stepIndex];
  const role = roleOf(steps[stepIndex]);
  const isRestored = role === "undo" || role === "backtrack";
  const own = ownChanges.findIndex(([owner]) => owner === item);
  if (own < 0) return false;
  return isRestored === firstChange + own < nApplied;
}

// The items that a step covers, purifies, uses or restores.
function itemsOfStep(step) {
  const role = roleOf(step);
  const items = new Set();
  if (role === "try" || role === "undo" || role === "tweak") {
    for (const node of nodesOf(step.option)) items.add(arrays.column[node]);
  } else for (const [item] of step.changes) if (item) items.add(item);
  return items;
}

// What the current phase highlights: an option, items, and the related options, which the step
// removes or restores. Null if the step is complete.
function focusOfPhase() {
  if (isComplete()) return null;
  const step = steps[stepIndex];
  const { kind } = currentPhase();
  const items = kind === "row" ? new Set() : itemsOfStep(step);
  const related = kind === "row" || kind === "columns" ? [] : relatedOptions(stepIndex);
  return { option: step.option, items, related: new Set(related) };
}

// What the sentence names: items, an option, and the item that has too few options left, or 0.
function namedInSentence() {
  const focus = focusOfPhase();
  if (focus) return { ...focus, lacking: 0 };
  const step = steps[stepIndex];
  const items = itemsOfStep(step);
  if (step.item) items.add(step.item);
  const lacking = lackingItem();
  if (lacking) items.add(lacking);
  const isReturn = Number(step.name.slice(1)) === STEP_TITLES.length; // to the level of an option
  const returnedTo = isReturn && !isEndOfSearch() ? record.tree[step.tree_node].option : -1;
  return { option: Math.max(step.option, returnedTo), items, lacking };
}

// The item for which an attempt fails, since it has too few options left, or 0.
function lackingItem() {
  const step = steps[stepIndex];
  const { outcome, closed_step } = record.tree[step.tree_node];
  if (roleOf(step) !== "try" || outcome !== "dead-end" || closed_step !== stepIndex) return 0;
  let item = arrays.R[0];
  while (arrays.size[item] !== 0) item = arrays.R[item];
  return item;
}

const isEndOfSearch = () => record.is_complete && completedIndex() === steps.length - 1;

// The options that the current phase is about to remove or restore, or that a complete step has
// removed or restored.
function relatedInSentence() {
  const focus = focusOfPhase();
  if (focus) return focus.related;
  return new Set(stepIndex > 0 && roleOf(steps[stepIndex]) ? relatedOptions(stepIndex) : []);
}

const relatedCache = new Map();

// The options that a step removes or restores, other than its own.
function relatedOptions(index) {
  if (!relatedCache.has(index)) {
    const saved = [granularity, firstPosition, stepIndex, phaseIndex, phases];
    const savedCounts = [nApplied, nAssigned];
    granularity = "steps";
    const leftAfter = (step) => {
      moveTo(step, 0);
      return record.options.map((_, option) => isLeft(option));
    };
    const before = leftAfter(index - 1);
    const after = leftAfter(index);
    const related = before.map((left, option) => (left === after[option] ? -1 : option));
    relatedCache.set(index, related.filter((option) => option >= 0 && option !== steps[index].option));
    [granularity, firstPosition, stepIndex, phaseIndex, phases] = saved;
    applyChanges(...savedCounts);
  }
  return relatedCache.get(index);
}
