// Steps and their phases. The last phase completes a step; without sub-steps, no other is shown.

// The role of a step: "try", "undo", "cover", "tweak", "backtrack" or "" (it changes nothing).
function roleOf({ name, option }) {
  const rolesX = ["", "", "", "", "cover", "try", "undo", "backtrack", ""];
  const rolesM = ["", "", "", "", "cover", "tweak", "try", "undo", "backtrack", ""];
  const role = (arrays.need ? rolesM : rolesX)[Number(name.slice(1))];
  return role === "try" && option < 0 ? "" : role; // none is tried
}

// The phases of a step. Each has a number of changes, which the arrays contain after it. The phase
// before a change draws the links that will change bold.
function phasesOf(step) {
  const role = roleOf(step);
  const n = step.changes.length;
  const kinds = role === "try" ? ["row", "columns", "related"] : n ? ["before"] : [];
  const phases = kinds.map((kind) => ({ kind, nChanges: 0 }));
  // The last change completes a step, except that a longer partial solution completes an attempt.
  const nSeparate = role === "try" ? n : n - 1;
  for (let k = 1; k <= nSeparate; k++) phases.push({ kind: "change", nChanges: k });
  return [...phases, { kind: "complete", nChanges: n }];
}

const phases = steps.map(phasesOf);
const firstPosition = [0]; // of each step, if sub-steps are counted
for (const list of phases) firstPosition.push(firstPosition.at(-1) + list.length);
const nPositions = firstPosition.pop();

let hasSubsteps = false; // whether sub-steps are shown
let isCondensed = false; // whether the matrix shows only the rows and columns that are left
let stepIndex = 0; // the current step
let phaseIndex = 0; // its current phase

const lastPhase = (step) => phases[step].length - 1;
const currentPhase = () => phases[stepIndex][phaseIndex];
const isComplete = () => phaseIndex === lastPhase(stepIndex);
// The last step that is complete: options are chosen when a step is complete.
const completedIndex = () => (isComplete() ? stepIndex : stepIndex - 1);
const completedStep = () => steps[completedIndex()];

function moveTo(step, phase) {
  stepIndex = Math.max(0, Math.min(steps.length - 1, step));
  phaseIndex = hasSubsteps ? Math.max(0, Math.min(lastPhase(stepIndex), phase)) : lastPhase(stepIndex);
  applyChanges(steps[stepIndex].firstChange + currentPhase().nChanges);
}

// Positions count steps, or their phases if sub-steps are shown.
const lastPosition = () => (hasSubsteps ? nPositions : steps.length) - 1;
const position = () => (hasSubsteps ? firstPosition[stepIndex] + phaseIndex : stepIndex);

function moveToPosition(target) {
  if (!hasSubsteps) return moveTo(target, Infinity);
  target = Math.max(0, Math.min(lastPosition(), target));
  let step = firstPosition.findLastIndex((first) => first <= target);
  moveTo(step, target - firstPosition[step]);
}

// The number of changes of the current step that the arrays already contained in the phase before.
const nChangesBefore = () =>
  hasSubsteps && phaseIndex > 0 ? phases[stepIndex][phaseIndex - 1].nChanges : 0;

// The cells of an array that the current phase (or the step, without sub-steps) changed, with
// their previous values.
function changedCells(name) {
  const { firstChange } = steps[stepIndex];
  const cells = new Map();
  for (let k = firstChange + nChangesBefore(); k < nApplied; k++) {
    const list = changes[k].previous[name] ?? [];
    for (let i = 0; i < list.length; i += 2) {
      if (!cells.has(list[i])) cells.set(list[i], list[i + 1]);
    }
  }
  for (const [cell, value] of cells) if (arrays[name][cell] === value) cells.delete(cell);
  return cells;
}

// The change that the next phase applies, or null.
function pendingChange() {
  if (!hasSubsteps || isComplete()) return null;
  const next = phases[stepIndex][phaseIndex + 1];
  return next.nChanges > currentPhase().nChanges ? changes[nApplied] : null;
}

// The indices of the cells of an array that the next phase changes.
function pendingCells(name) {
  const list = pendingChange()?.cells[name] ?? [];
  return new Set(list.filter((_, i) => i % 2 === 0));
}

// An item of an option leaves the item list before its options are hidden, and returns after they
// are restored. In between, its column is shaded, but its options are still shown as they were.
function isUnfinished(item) {
  if (isComplete()) return false;
  const { firstChange, changes: ownChanges } = steps[stepIndex];
  const role = roleOf(steps[stepIndex]);
  const isRestored = role === "undo" || role === "backtrack";
  const own = ownChanges.findIndex(([owner]) => owner === item);
  if (own < 0) return false;
  return isRestored === firstChange + own < nApplied;
}

// What the current phase highlights: an option, items, and the related options, which the step
// removes or restores. Null if the step is complete.
function focusOfPhase() {
  if (isComplete()) return null;
  const step = steps[stepIndex];
  const role = roleOf(step);
  const { kind } = currentPhase();
  const items = new Set();
  if (role === "try" || role === "undo" || role === "tweak") {
    if (kind !== "row") for (const node of nodesOf(step.option)) items.add(arrays.column[node]);
  } else for (const [item] of step.changes) if (item) items.add(item);
  const hasOption = step.option >= 0;
  const related = kind === "row" || kind === "columns" ? [] : relatedOptions(stepIndex);
  return { option: hasOption ? step.option : -1, items, related: new Set(related) };
}

const relatedCache = new Map();

// The options that a step removes or restores, other than its own.
function relatedOptions(index) {
  if (!relatedCache.has(index)) {
    const saved = [nApplied, stepIndex, phaseIndex];
    const leftAfter = (step) => {
      [stepIndex, phaseIndex] = [step, lastPhase(step)];
      applyChanges(steps[step].firstChange + steps[step].changes.length);
      return record.options.map((_, option) => isLeft(option));
    };
    const before = leftAfter(index - 1);
    const after = leftAfter(index);
    const related = before.map((left, option) => (left === after[option] ? -1 : option));
    relatedCache.set(index, related.filter((option) => option >= 0 && option !== steps[index].option));
    [, stepIndex, phaseIndex] = saved;
    applyChanges(saved[0]);
  }
  return relatedCache.get(index);
}
