// The search tree up to the current step, with the current path. Runs of forced moves, which are
// the only branches of their nodes, can be folded: each is drawn as one box.

const MAX_UNFOLDED_LEVELS = 12; // deeper trees are folded at first
let isFolded = false;

const drawTree = (() => {
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
  const labels = tree.map(({ option, outcome }, k) =>
    outcome === "skipped" ? "skipped" : k === 0 ? "root" : option < 0 ? "none" : shortReferences[option]);
  const branchItem = (item) => (item ? shorten(record.items[item - 1]) : "");
  // The name of an item, in a smaller font, may be wider than the boxes.
  const nameWidth = 7 * Math.max(...tree.map(({ item }) => widthOf(branchItem(item))));

  function describeNode(k) {
    const { parent, option, skipped } = tree[k];
    if (parent < 0) return "root";
    if (skipped.length) return `skipped: ${enumerateOptions(skipped)}`;
    if (option >= 0) return `option ${optionTitles[option]}`;
    return `no further option of item ${record.items[tree[parent].item - 1]}`;
  }

  // The boxes, from left to right, the box of each node, and the width of a box.
  function arrange() {
    const [boxes, boxOf] = [[], []];
    tree.forEach(({ parent }, k) => {
      const run = runs[k]?.length > 1 ? runs[k] : null;
      const isWhole = isFolded && run && !unfolded.has(run);
      if (isWhole && k !== run[0]) return;
      const above = boxOf[parent];
      const box = { nodes: isWhole ? run : [k], run, parent: above, isLeaf: true, y: above ? above.y + dy : 18 };
      if (above) above.isLeaf = false;
      for (const node of box.nodes) boxOf[node] = box;
      boxes.push(box);
    });
    const isAnyFolded = boxes.some(({ nodes }) => nodes.length > 1);
    const boxWidth = 16 + 8 * Math.max(2, isAnyFolded ? 9 : 0, ...labels.map(widthOf));
    const left = Math.max(32, boxWidth / 2 + 2, nameWidth / 2);
    const dx = Math.max(boxWidth + 14, nameWidth + 4);
    let leaves = 0;
    for (const box of boxes) {
      Object.assign(box, { x: left + leaves * dx, width: box.parent ? boxWidth : 42 });
      leaves += box.isLeaf;
    }
    const width = left + (leaves - 1) * dx + Math.max(boxWidth / 2 + 14, nameWidth / 2);
    return { boxes, boxOf, boxWidth, width, height: 26 + Math.max(...boxes.map(({ y }) => y)) };
  }

  // The line from the box above, and the outline of a box, as the data of paths.
  function edgeTo({ parent, x, y }) {
    if (!parent) return "";
    return `${parent.x === x ? `M${x} ${parent.y + 24}` : `M${parent.x} ${y - 20}H${x}`}V${y - 12}`;
  }
  const outlineOf = ({ x, y, width }) => `M${x - width / 2} ${y - 12}h${width}v22h${-width}z`;

  function drawBox(box, lastStep, boxWidth, { current, path }) {
    const { nodes, run, x, y, width } = box;
    const existing = nodes.filter((k) => tree[k].created_step <= lastStep);
    const node = tree[existing.at(-1)];
    const result = node.outcome && node.closed_step <= lastStep ? node.outcome : "";
    const isBranching = node.item_step <= lastStep && result !== "cover";
    const forced = `${existing.length} forced`;
    const kinds = { "tree-node": true, [result]: true, path, current, run: nodes.length > 1 };
    const foldable = isFolded && run && { "data-run": run[0] };
    // The first box of a run is its button.
    const button = foldable && nodes[0] === run[0] && { role: "button", tabindex: 0, "aria-expanded": unfolded.has(run), "aria-label": `${forced} moves` };
    return tag(
      "g", { class: namesOf(kinds), transform: `translate(${x} ${y})`, ...foldable, ...button },
      tag("rect", { x: -width / 2, y: -12, width, height: 22, rx: 4 }),
      tag("text", { x: boxWidth / 2 + 3, y: -3, "text-anchor": "start", class: "outcome" }, OUTCOME_SYMBOLS[result] ?? ""),
      tag("text", { y: 4 }, escapeText(nodes.length > 1 ? forced : labels[nodes[0]])),
      tag("text", { y: 21, class: "branch-item" }, escapeText(isBranching ? branchItem(node.item) : "")),
      tag("title", {}, escapeText(nodes.map(describeNode).join("\n"))),
    );
  }

  function toggleRun({ target }) {
    const first = target.closest("[data-run]")?.dataset.run;
    if (first === undefined) return;
    if (!unfolded.delete(runs[first])) unfolded.add(runs[first]);
    render();
    byId("tree").querySelector(`[role][data-run="${first}"]`).focus({ preventScroll: true });
  }
  byId("tree").addEventListener("click", toggleRun);
  byId("tree").addEventListener("keydown", (event) => {
    if ((event.key !== "Enter" && event.key !== " ") || !event.target.dataset.run) return;
    event.preventDefault();
    toggleRun(event);
  });

  return function draw() {
    const step = completedStep();
    const lastStep = completedIndex();
    const { boxes, boxOf, boxWidth, width, height } = arrange();
    const path = new Set();
    for (let k = step.tree_node; k >= 0; k = tree[k].parent) path.add(boxOf[k]);
    const [shown, later] = [[], []];
    for (const box of boxes) (tree[box.nodes[0]].created_step <= lastStep ? shown : later).push(box);
    // A box is drawn above the last of its children, so that the current path is a vertical line.
    for (const { parent, x } of [...shown].reverse()) if (parent) parent.x = Math.max(parent.x, x);
    const current = boxOf[step.tree_node];
    const drawn = shown.map((box) => {
      const onPath = path.has(box);
      const edge = tag("path", { d: edgeTo(box), class: namesOf({ edge: true, path: onPath }) });
      return edge + drawBox(box, lastStep, boxWidth, { path: onPath, current: box === current });
    });
    const outlines = tag("path", { class: "later", d: later.map((box) => edgeTo(box) + outlineOf(box)).join("") });
    const nNodes = tree.filter((node) => node.created_step <= lastStep).length;
    const options = step.chosen.length ? step.chosen.map((k) => references[k]).join(", ") : "no options";
    const label = `Search tree, ${nNodes} nodes so far. Current path: ${options}.`;
    const focused = document.activeElement.dataset.run;
    byId("tree").innerHTML = drawPicture(width, height, label, "picture", [outlines, ...drawn], "group"); // of buttons
    byId("tree").querySelector(`[role][data-run="${focused}"]`)?.focus({ preventScroll: true });
    const visible = Math.max(40, boxWidth);
    scrollIntoView("tree", current.x - visible / 2, current.y - 14, visible, 40, 0.3);
  };
})();
