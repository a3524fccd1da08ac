// The search tree up to the current step, with the current path. Runs of forced moves, which are
// the only branches of their nodes, can be folded: each is drawn as one box.

const MAX_UNFOLDED_LEVELS = 12; // deeper trees are folded at first
let isFolded = false;

const treeView = (() => {
  const tree = treeNodes;
  const dy = 52;
  const OUTCOME_SYMBOLS = { cover: "✓", "dead-end": "✗", exhausted: "–", skipped: "✗" };
  const runs = []; // for each node that is a forced move, the list of nodes of its run
  tree.forEach(({ parent }, k) => {
    if (tree[parent]?.size !== 1 && (k === 0 || k > record.n_givens)) return;
    runs[k] = runs[parent] ?? [];
    runs[k].push(k);
  });
  const hasRuns = runs.some((run) => run.length > 1);
  const unfolded = new Set(); // runs that the user unfolded
  isFolded = hasRuns && steps.some(({ level }) => level > MAX_UNFOLDED_LEVELS);
  byId("fold-label").hidden = !hasRuns;

  const picture = addPicture("tree", 0, 0, "");
  picture.setAttribute("role", "group"); // of the buttons that fold runs
  let boxes = []; // of nodes, in order of their first node
  let boxOf = []; // the index of the box of each node
  let boxWidth = 0;
  let outlines = null; // of the boxes of later steps

  function labelOf(k) {
    const { option, outcome } = tree[k];
    if (outcome === "skipped") return "skipped";
    return k === 0 ? "root" : option < 0 ? "none" : shortReferences[option];
  }

  const branchItem = (item) => (item ? shorten(record.items[item - 1]) : "");

  function describeNode(k) {
    const { parent, option, skipped } = tree[k];
    if (parent < 0) return "root";
    if (skipped.length) return `skipped: ${enumerateOptions(skipped)}`;
    if (option >= 0) return `option ${optionTitles[option]}`;
    return `no further option of item ${record.items[tree[parent].item - 1]}`;
  }

  // Creates the boxes, from left to right, and the columns in which they are drawn at first.
  function arrange() {
    boxes = [];
    boxOf = [];
    tree.forEach(({ parent }, k) => {
      const run = runs[k]?.length > 1 ? runs[k] : null;
      const isWhole = isFolded && run && !unfolded.has(run);
      if (isWhole && k !== run[0]) return;
      const above = boxes[boxOf[parent]];
      const box = { nodes: isWhole ? run : [k], run, parent: above, isLeaf: true };
      box.y = above ? above.y + dy : 18;
      if (above) above.isLeaf = false;
      for (const node of box.nodes) boxOf[node] = boxes.length;
      boxes.push(box);
    });
    const isAnyFolded = boxes.some(({ nodes }) => nodes.length > 1);
    const labelWidth = Math.max(2, isAnyFolded ? 9 : 0, ...tree.map((_, k) => widthOf(labelOf(k))));
    boxWidth = 16 + 8 * labelWidth;
    // The name of an item, in a smaller font, may be wider than the boxes.
    const nameWidth = 7 * Math.max(...tree.map(({ item }) => widthOf(branchItem(item))));
    const left = Math.max(32, boxWidth / 2 + 2, nameWidth / 2);
    const dx = Math.max(boxWidth + 14, nameWidth + 4);
    let leaves = 0;
    for (const box of boxes) {
      box.firstX = left + leaves * dx;
      leaves += box.isLeaf;
    }
    const width = left + (leaves - 1) * dx + Math.max(boxWidth / 2 + 14, nameWidth / 2);
    const height = 26 + Math.max(...boxes.map(({ y }) => y));
    setAttributes(picture, { width, height, viewBox: `0 0 ${width} ${height}` });
    picture.replaceChildren();
    outlines = svg("path", { class: "later" }, picture);
    boxes.forEach(createBox);
  }

  function createBox(box) {
    const { parent, nodes, run } = box;
    box.width = parent ? boxWidth : 42;
    box.edge = svg("path", {}, picture);
    box.group = svg("g", {}, picture);
    svg("rect", { x: -box.width / 2, y: -12, width: box.width, height: 22, rx: 4 }, box.group);
    const beside = { x: boxWidth / 2 + 3, y: -3, "text-anchor": "start", class: "outcome" };
    box.outcome = svg("text", beside, box.group);
    box.label = svg("text", { y: 4 }, box.group, labelOf(nodes[0]));
    box.item = svg("text", { y: 21, class: "branch-item" }, box.group);
    svg("title", {}, box.group, nodes.map(describeNode).join("\n"));
    if (!isFolded || !run) return;
    box.group.addEventListener("click", () => toggleRun(run));
    if (nodes[0] !== run[0]) return; // the first box of a run is its button
    setAttributes(box.group, { role: "button", tabindex: 0, "aria-expanded": unfolded.has(run) });
    box.group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggleRun(run);
    });
  }

  function toggleRun(run) {
    if (!unfolded.delete(run)) unfolded.add(run);
    arrange();
    render();
    boxes[boxOf[run[0]]].group.focus({ preventScroll: true });
  }

  // The line from the box above, and the outline of a box, as the data of paths.
  function edgeTo({ parent, x, y }) {
    if (!parent) return "";
    return `${parent.x === x ? `M${x} ${parent.y + 24}` : `M${parent.x} ${y - 20}H${x}`}V${y - 12}`;
  }
  const outlineOf = ({ x, y, width }) => `M${x - width / 2} ${y - 12}h${width}v22h${-width}z`;

  function draw() {
    const step = completedStep();
    const lastStep = completedIndex();
    const path = new Set();
    for (let k = step.tree_node; k >= 0; k = tree[k].parent) path.add(boxOf[k]);
    // A box is drawn above the last of its children, so that the current path is a vertical line.
    for (const box of boxes) {
      box.exists = tree[box.nodes[0]].created_step <= lastStep;
      box.x = box.firstX;
    }
    for (const { parent, exists, x } of [...boxes].reverse()) {
      if (parent && exists) parent.x = Math.max(parent.x, x);
    }
    const later = boxes.filter((box) => !box.exists);
    setAttributes(outlines, { d: later.map((box) => edgeTo(box) + outlineOf(box)).join("") });
    boxes.forEach((box, b) => {
      const { nodes, group, edge, x, y } = box;
      const existing = nodes.filter((k) => tree[k].created_step <= lastStep);
      const node = tree[existing.at(-1) ?? nodes[0]];
      const result = node.outcome && node.closed_step <= lastStep ? node.outcome : "";
      const onPath = { path: path.has(b) };
      const current = b === boxOf[step.tree_node];
      const run = nodes.length > 1;
      const visibility = box.exists ? "visible" : "hidden";
      const kinds = { "tree-node": true, [result]: true, ...onPath, current, run };
      setAttributes(group, { class: namesOf(kinds), transform: `translate(${x} ${y})`, visibility });
      setAttributes(edge, { d: edgeTo(box), class: namesOf({ edge: true, ...onPath }), visibility });
      setText(box.outcome, OUTCOME_SYMBOLS[result] ?? "");
      if (run) setText(box.label, `${existing.length} forced`);
      if (group.role) setAttributes(group, { "aria-label": `${existing.length} forced moves` });
      const isBranching = node.item_step <= lastStep && result !== "cover";
      setText(box.item, isBranching ? branchItem(node.item) : "");
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
  render();
}
