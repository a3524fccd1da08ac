// The search tree, as far as the search has come, with the present path.

const treeView = (() => {
  const dx = 46;
  const dy = 52;
  const tree = record.tree;
  const FATES = { cover: "✓", dead: "✗", through: "–" };
  const children = tree.map(() => []);
  tree.forEach((place, k) => place.parent >= 0 && children[place.parent].push(k));
  const x = new Array(tree.length).fill(0);
  const level = new Array(tree.length).fill(0);
  let leaves = 0;
  tree.forEach((place, k) => (level[k] = place.parent < 0 ? 0 : level[place.parent] + 1));
  // Children come behind their parents: backwards, they are placed before them.
  const leafAt = new Array(tree.length).fill(0);
  const stack = [0];
  while (stack.length) {
    const k = stack.pop();
    if (!children[k].length) leafAt[k] = leaves++;
    for (let i = children[k].length - 1; i >= 0; i--) stack.push(children[k][i]);
  }
  for (let k = tree.length - 1; k >= 0; k--) {
    const below = children[k];
    x[k] = below.length ? (x[below[0]] + x[below[below.length - 1]]) / 2 : 30 + leafAt[k] * dx;
  }
  const yOf = (k) => 18 + level[k] * dy;
  const width = Math.max(60, 20 + leaves * dx);
  const height = 60 + Math.max(...level) * dy;
  const picture = drawing("tree", width, height, "");
  const parts = tree.map((place, k) => {
    const group = svg("g", {}, picture);
    if (place.parent >= 0) {
      const up = place.parent;
      svg("line", { x1: x[up], y1: yOf(up) + 24, x2: x[k], y2: yOf(k) - 12, class: "edge" }, group);
    }
    const w = place.parent < 0 ? 42 : 32;
    svg("rect", { x: x[k] - w / 2, y: yOf(k) - 12, width: w, height: 22, rx: 4 }, group);
    const fate = svg("text", { x: x[k] + 17, y: yOf(k) - 6, class: "fate" }, group);
    const label = place.option < 0 ? "root" : String(place.option);
    svg("text", { x: x[k], y: yOf(k) + 4, "text-anchor": "middle" }, group, label);
    const item = svg("text", { x: x[k], y: yOf(k) + 21, "text-anchor": "middle", class: "asks" }, group);
    if (place.option >= 0) svg("title", {}, group, `option ${label}: ${record.options[place.option]}`);
    return { group, fate, item };
  });

  return function draw() {
    const path = new Set();
    for (let k = steps[at].place; k >= 0; k = tree[k].parent) path.add(k);
    let seen = 0;
    tree.forEach((place, k) => {
      const { group, fate, item } = parts[k];
      const born = place.born <= at;
      seen += born;
      const end = place.fate && place.sealed <= at ? place.fate : "";
      const here = k === steps[at].place ? " here" : "";
      const onPath = path.has(k) ? " path" : "";
      set(group, { class: `place ${end}${onPath}${here}`, visibility: born ? "visible" : "hidden" });
      setText(fate, end ? FATES[end] : "");
      const asked = place.item && place.asked <= at && end !== "cover";
      setText(item, asked ? record.items[place.item - 1] : "");
    });
    const way = steps[at].chosen.length ? steps[at].chosen.join(", ") : "no option";
    set(picture, { "aria-label": `Search tree of ${seen} nodes so far. Present path: ${way}.` });
    const k = steps[at].place;
    keepInView("tree", x[k] - 20, yOf(k) - 14, 40, 40);
  };
})();
