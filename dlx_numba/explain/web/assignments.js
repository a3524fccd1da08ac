// The assignments of each change, such as R[L[x]] ← R[x], in the order of the kernels; those of a
// change that restores nodes are in reverse order. The record contains only the cells that differ
// after a change, so the operations of the kernels are repeated here and compared with the record.

const ASSIGNMENTS = {
  detach: ["R[L[x]] ← R[x]", "L[R[x]] ← L[x]", "size[x] ← size[x] + C"],
  attach: ["size[x] ← size[x] − C", "L[R[x]] ← x", "R[L[x]] ← x"],
  hide: ["D[U[x]] ← D[x]", "U[D[x]] ← U[x]", "size[column[x]] ← size[column[x]] − 1"],
  restore: ["size[column[x]] ← size[column[x]] + 1", "U[D[x]] ← x", "D[U[x]] ← x"],
  use: ["size[x] ← size[x] + 1", "need[x] ← need[x] − 1", "capacity[x] ← capacity[x] − 1"],
  release: ["capacity[x] ← capacity[x] + 1", "need[x] ← need[x] + 1", "size[x] ← size[x] − 1"],
  purify: ["purifier[x] ← node"],
  unpurify: ["purifier[x] ← 0"],
};

// Adds the list `assignments` to each change. Each assignment has an operation of `ASSIGNMENTS`
// and the number of its formula there, its node x, and the array, cell, value and previous value.
function deriveAssignments() {
  const { L, R, U, D, column, size, need, capacity, purifier } = arrays;
  const trail = []; // hidden nodes
  const marks = []; // the ends of the trail before each item was covered
  const saved = [nApplied, nAssigned];
  let list = [];

  function assign(operation, formula, x, array, cell, value) {
    list.push({ operation, formula, x, array, cell, value, previous: arrays[array][cell] });
    arrays[array][cell] = value;
  }
  // Sizes are unsigned, as in the kernels.
  const add = (operation, formula, x, item, difference) =>
    assign(operation, formula, x, "size", item, (size[item] + difference + 2 ** 32) % 2 ** 32);

  function detach(x) {
    assign("detach", 0, x, "R", L[x], R[x]);
    assign("detach", 1, x, "L", R[x], L[x]);
    add("detach", 2, x, x, record.covered_offset);
  }
  function attach(x) {
    add("attach", 0, x, x, -record.covered_offset);
    assign("attach", 1, x, "L", R[x], x);
    assign("attach", 2, x, "R", L[x], x);
  }
  function hide(x) {
    assign("hide", 0, x, "D", U[x], D[x]);
    assign("hide", 1, x, "U", D[x], U[x]);
    add("hide", 2, x, column[x], -1);
    trail.push(x);
    return size[column[x]];
  }
  function restoreUntil(mark) {
    while (trail.length > mark) {
      const x = trail.pop();
      add("restore", 0, x, column[x], 1);
      assign("restore", 1, x, "U", D[x], x);
      assign("restore", 2, x, "D", U[x], x);
    }
  }
  function use(x) {
    if (need[x] > 0) add("use", 0, x, x, 1);
    assign("use", 1, x, "need", x, need[x] - 1);
    assign("use", 2, x, "capacity", x, capacity[x] - 1);
  }
  function release(x) {
    assign("release", 0, x, "capacity", x, capacity[x] + 1);
    assign("release", 1, x, "need", x, need[x] + 1);
    if (need[x] > 0) add("release", 2, x, x, -1);
  }
  // Hides the options of an item, except those with the given color. Like the kernel, stops after
  // an option that leaves an active item with fewer than `minSize` options.
  function cover(item, color, minSize) {
    let smallest = Infinity;
    for (let row = D[item]; row !== item && smallest >= minSize; row = D[row]) {
      if (color && colorOf(row) === color) continue;
      for (let node = R[row]; node !== row; node = R[node]) {
        if (!purifierOf(column[node])) smallest = Math.min(smallest, hide(node));
      }
    }
  }
  function commit(node) {
    const item = column[node];
    const color = colorOf(node);
    if (color && purifierOf(item)) return;
    cover(item, color, 1);
    if (color) assign("purify", 0, item, "purifier", item, node);
  }
  function takeItems(nodes) {
    for (const node of nodes) {
      const item = column[node];
      const isBounded = need && isPrimary(item);
      if (isBounded) use(item);
      if (isBounded ? capacity[item] === 0 : colorOf(node) === 0) detach(item);
    }
  }
  function returnItems(nodes) {
    for (const node of [...nodes].reverse()) {
      const item = column[node];
      const isBounded = need && isPrimary(item);
      if (isBounded ? capacity[item] === 0 : colorOf(node) === 0) attach(item);
      if (isBounded) release(item);
      else if (purifierOf(item) === node) assign("unpurify", 0, item, "purifier", item, 0);
    }
  }
  // The operations of one change.
  function perform(role, { item: current, option }, item) {
    const [node, ...others] = option < 0 ? [] : nodesOf(option, current);
    if (role === "cover") return item ? cover(item, 0, 0) : detach(current);
    if (role === "tweak") {
      for (const each of [node, ...others]) if (!purifierOf(column[each])) hide(each);
      return use(current);
    }
    if (role === "try") {
      if (!item) return takeItems(others);
      marks.push(trail.length);
      return commit(others.find((each) => column[each] === item));
    }
    if (item) return restoreUntil(marks.pop());
    if (role === "backtrack") return attach(backtrackedItem);
    returnItems(others);
    if (need && size[current] < record.covered_offset) release(current);
  }

  let backtrackedItem = 0;
  applyChanges(0);
  for (const step of steps) {
    const role = roleOf(step);
    if (role === "cover") marks.push(trail.length);
    step.nAssignments = 0;
    for (let k = step.firstChange; k < step.firstChange + step.changes.length; k++) {
      const change = changes[k];
      list = [];
      if (role === "backtrack" && change.item) backtrackedItem = change.item;
      perform(role, step, change.item);
      change.assignments = list;
      step.nAssignments += list.length;
      checkAssignments(change);
      nApplied = k + 1;
    }
  }
  applyChanges(...saved);
}

// Throws if the assignments of a change do not have the recorded effect.
function checkAssignments({ cells, previous, assignments }) {
  const before = new Map();
  for (const { array, cell, previous } of assignments) {
    if (!before.has(array + cell)) before.set(array + cell, previous);
  }
  const effects = assignments.filter(({ array, cell }) => arrays[array][cell] !== before.get(array + cell));
  const found = new Set(effects.map(({ array, cell }) => array + cell)).size;
  let expected = 0;
  for (const [name, list] of Object.entries(cells)) {
    expected += list.length / 2;
    for (let i = 0; i < list.length; i += 2) {
      const isSame = before.get(name + list[i]) === previous[name][i + 1];
      if (!isSame || arrays[name][list[i]] !== list[i + 1]) throw new Error(`${name}[${list[i]}] differs`);
    }
  }
  if (found !== expected) throw new Error(`${found} cells differ instead of ${expected}`);
}
