// The search tree up to the current step, with the current path. Runs of forced moves, which are
// the only branches of their nodes, can be folded: each is drawn as one box.

const MAX_UNFOLDED_LEVELS = 12; // deeper trees are folded at first
let isFolded = false;

const treeView = (() => {
  const tree = record.tree;
  const dy = 52;
  const OUTCOME_SYMBOLS = { cover: "✓", "dead-end": "✗", exhausted: "–" };
  const children = tree.map(() => []);
  const level = tree.map(() => 0);
  tree.forEach(({ parent }, k) => {
    if (parent < 0) return;
    children[parent].push(k);
    level[k] = level[parent] + 1;
  });
  const isForced = tree.map(({ parent }) => parent >= 0 && tree[parent].size === 1);
  const runs = []; // lists of at least two nodes
  isForced.forEach((forced, k) => {
    if (!forced || isForced[tree[k].parent]) return;
    const run = [k];
    while (isForced[children[run.at(-1)][0]]) run.push(children[run.at(-1)][0]);
    if (run.length > 1) runs.push(run);
  });
  const unfolded = new Set(); // runs that the user unfolded
  isFolded = runs.length > 0 && Math.max(...level) > MAX_UNFOLDED_LEVELS;
  document.getElementById("fold-label").hidden = runs.length === 0;

  const picture = addPicture("tree", 0, 0, "");
  let boxes = []; // of nodes, in order of their first node
  let boxOf = []; // the index of the box of each node
  let boxWidth = 0;

  const labelOf = (k) =>
    k === 0 ? "root" : tree[k].option < 0 ? "none" : shortReferences[tree[k].option];

  function describeNode(k) {
    const { parent, option } = tree[k];
    if (parent < 0) return "root";
    if (option >= 0) return `option ${option}: ${record.options[option]}`;
    return `no further option of item ${record.items[tree[parent].item - 1]}`;
  }

  // Draws all boxes, as outlines until their first node is created.
  function arrange() {
    const runOf = new Map(runs.flatMap((run) => run.map((k) => [k, run])));
    boxes = [];
    boxOf = [];
    tree.forEach((_, k) => {
      const run = runOf.get(k);
      const isWhole = isFolded && run && !unfolded.has(run);
      if (isWhole && k !== run[0]) return;
      const nodes = isWhole ? run : [k];
      for (const node of nodes) boxOf[node] = boxes.length;
      boxes.push({ nodes, run, children: [], level: 0 });
    });
    boxes.forEach((box, b) => {
      const parent = tree[box.nodes[0]].parent;
      if (parent < 0) return;
      box.parent = boxes[boxOf[parent]];
      box.parent.children.push(box);
      box.level = box.parent.level + 1;
    });
    const hasRuns = boxes.some(({ nodes }) => nodes.length > 1);
    boxWidth = 16 + 8 * Math.max(arrays.need ? 4 : 2, referenceWidth, hasRuns ? 9 : 0);
    // The name of an item, in a smaller font, may be wider than the boxes.
    const nameWidth = 7 * Math.max(...record.items.map((name) => widthOf(shorten(name))), 0);
    const left = Math.max(32, boxWidth / 2 + 2, nameWidth / 2);
    const dx = boxWidth + 14;
    // A box is drawn above its first child, so that later children never move it.
    let leaves = 0;
    const stack = [boxes[0]];
    while (stack.length) {
      const box = stack.pop();
      box.x = left + leaves * dx;
      box.y = 18 + box.level * dy;
      if (!box.children.length) leaves++;
      stack.push(...[...box.children].reverse());
    }
    const width = Math.max(60, left - 2 + leaves * dx);
    const height = 44 + Math.max(...boxes.map((box) => box.level)) * dy;
    setAttributes(picture, { width, height, viewBox: `0 0 ${width} ${height}` });
    picture.replaceChildren();
    const outlines = svg("path", { class: "later" }, picture);
    outlines.setAttribute("d", boxes.map(createBox).join(""));
  }

  // Adds the elements of a box. Returns its outline.
  function createBox(box) {
    const { x, y, parent, nodes } = box;
    const group = svg("g", {}, picture);
    let edge = "";
    if (parent) {
      const start = parent.x === x ? `M${x} ${parent.y + 24}` : `M${parent.x} ${y - 20}H${x}`;
      edge = `${start}V${y - 12}`;
      svg("path", { d: edge, class: "edge" }, group);
    }
    const w = parent ? boxWidth : 42;
    svg("rect", { x: x - w / 2, y: y - 12, width: w, height: 22, rx: 4 }, group);
    const outcome = svg("text", { x: x + boxWidth / 2 + 3, y: y - 3, class: "outcome" }, group);
    const label = svg("text", { x, y: y + 4, "text-anchor": "middle" }, group, labelOf(nodes[0]));
    const below = { x, y: y + 21, "text-anchor": "middle", class: "branch-item" };
    const item = svg("text", below, group);
    const title = nodes.map(describeNode).join("\n");
    svg("title", {}, group, nodes.length > 1 ? `${title}\nClick to unfold.` : title);
    if (box.run) {
      group.addEventListener("click", () => {
        if (!isFolded) return;
        if (!unfolded.delete(box.run)) unfolded.add(box.run);
        arrange();
        draw();
      });
    }
    Object.assign(box, { group, outcome, label, item });
    return `${edge}M${x - w / 2} ${y - 12}h${w}v22h${-w}z`;
  }

  function draw() {
    const step = completedStep();
    const lastStep = completedIndex();
    const path = new Set();
    for (let k = step.tree_node; k >= 0; k = tree[k].parent) path.add(boxOf[k]);
    boxes.forEach(({ nodes, group, outcome, label, item }, b) => {
      const existing = nodes.filter((k) => tree[k].created_step <= lastStep);
      const k = existing.at(-1) ?? nodes[0];
      const node = tree[k];
      const result = node.outcome && node.closed_step <= lastStep ? node.outcome : "";
      const current = b === boxOf[step.tree_node] ? " current" : "";
      const run = nodes.length > 1 ? " run" : "";
      setAttributes(group, {
        class: `tree-node ${result}${path.has(b) ? " path" : ""}${current}${run}`,
        visibility: existing.length ? "visible" : "hidden",
      });
      setText(outcome, result ? OUTCOME_SYMBOLS[result] : "");
      if (run) setText(label, `${existing.length} forced`);
      const branches = node.item && node.item_step <= lastStep && result !== "cover";
      setText(item, branches ? shorten(record.items[node.item - 1]) : "");
    });
    const nNodes = tree.filter((node) => node.created_step <= lastStep).length;
    const options = step.chosen.length ? step.chosen.map((k) => references[k]).join(", ") : "no options";
    const label = `Search tree, ${nNodes} nodes so far. Current path: ${options}.`;
    setAttributes(picture, { "aria-label": label });
    const { x, y } = boxes[boxOf[step.tree_node]];
    const width = Math.max(40, boxWidth);
    scrollIntoView("tree", x - width / 2, y - 14, width, 40, 0.3);
  }

  arrange();
  return { arrange, draw };
})();

function setFolded(enabled) {
  isFolded = enabled;
  treeView.arrange();
  treeView.draw();
  document.getElementById("fold").checked = enabled;
}
