// The search tree up to the current step, with the current path.

const treeView = (() => {
  const tree = record.tree;
  const boxWidth = 16 + 8 * Math.max(arrays.need ? 4 : 2, referenceWidth);
  const dx = boxWidth + 14;
  const dy = 52;
  // The name of an item, in a smaller font, may be wider than the boxes.
  const nameWidth = 7 * Math.max(...record.items.map((name) => widthOf(shorten(name))), 0);
  const left = Math.max(32, boxWidth / 2 + 2, nameWidth / 2);
  const OUTCOME_SYMBOLS = { cover: "✓", "dead-end": "✗", exhausted: "–" };
  const children = tree.map(() => []);
  tree.forEach((node, k) => node.parent >= 0 && children[node.parent].push(k));
  const x = new Array(tree.length).fill(0);
  const level = new Array(tree.length).fill(0);
  let leaves = 0;
  tree.forEach((node, k) => (level[k] = node.parent < 0 ? 0 : level[node.parent] + 1));
  // A node is drawn above its first child, so that later children never move it.
  const stack = [0];
  while (stack.length) {
    const k = stack.pop();
    x[k] = left + leaves * dx;
    if (!children[k].length) leaves++;
    for (let i = children[k].length - 1; i >= 0; i--) stack.push(children[k][i]);
  }
  const yOf = (k) => 18 + level[k] * dy;
  const width = Math.max(60, left - 2 + leaves * dx);
  const height = 60 + Math.max(...level) * dy;
  const picture = addPicture("tree", width, height, "");
  const elements = tree.map((node, k) => {
    const group = svg("g", {}, picture);
    const { parent, option } = node;
    if (parent >= 0) {
      const start =
        x[parent] === x[k] ? `M${x[k]} ${yOf(parent) + 24}` : `M${x[parent]} ${yOf(k) - 20}H${x[k]}`;
      svg("path", { d: `${start}V${yOf(k) - 12}`, class: "edge" }, group);
    }
    const w = parent < 0 ? 42 : boxWidth;
    svg("rect", { x: x[k] - w / 2, y: yOf(k) - 12, width: w, height: 22, rx: 4 }, group);
    const aside = { x: x[k] + boxWidth / 2 + 3, y: yOf(k) - 3, class: "outcome" };
    const outcome = svg("text", aside, group);
    const label = parent < 0 ? "root" : option < 0 ? "none" : shortReferences[option];
    svg("text", { x: x[k], y: yOf(k) + 4, "text-anchor": "middle" }, group, label);
    const below = { x: x[k], y: yOf(k) + 21, "text-anchor": "middle", class: "branch-item" };
    const item = svg("text", below, group);
    if (option >= 0) svg("title", {}, group, `option ${option}: ${record.options[option]}`);
    else if (parent >= 0) {
      svg("title", {}, group, `no further option of item ${record.items[tree[parent].item - 1]}`);
    }
    return { group, outcome, item };
  });

  return function draw() {
    const step = completedStep();
    const lastStep = completedIndex();
    const path = new Set();
    for (let k = step.tree_node; k >= 0; k = tree[k].parent) path.add(k);
    let nVisible = 0;
    tree.forEach((node, k) => {
      const { group, outcome, item } = elements[k];
      const exists = node.created_step <= lastStep;
      nVisible += exists;
      const result = node.outcome && node.closed_step <= lastStep ? node.outcome : "";
      const current = k === step.tree_node ? " current" : "";
      const onPath = path.has(k) ? " path" : "";
      setAttributes(group, {
        class: `tree-node ${result}${onPath}${current}`,
        visibility: exists ? "visible" : "hidden",
      });
      setText(outcome, result ? OUTCOME_SYMBOLS[result] : "");
      const branches = node.item && node.item_step <= lastStep && result !== "cover";
      setText(item, branches ? shorten(record.items[node.item - 1]) : "");
    });
    const options = step.chosen.length ? step.chosen.map((k) => references[k]).join(", ") : "no options";
    const label = `Search tree, ${nVisible} nodes so far. Current path: ${options}.`;
    setAttributes(picture, { "aria-label": label });
    const width = Math.max(40, boxWidth);
    scrollIntoView("tree", x[step.tree_node] - width / 2, yOf(step.tree_node) - 14, width, 40);
  };
})();
