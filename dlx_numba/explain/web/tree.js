// The search tree, as far as the search has come, with the present path.

const treeView = (() => {
  const tree = record.tree;
  const boxWidth = 16 + 8 * Math.max(arrays.need ? 4 : 2, String(nOptions - 1).length);
  const dx = boxWidth + 14;
  const dy = 52;
  const FATES = { cover: "✓", dead: "✗", through: "–" };
  const children = tree.map(() => []);
  tree.forEach((place, k) => place.parent >= 0 && children[place.parent].push(k));
  const x = new Array(tree.length).fill(0);
  const level = new Array(tree.length).fill(0);
  let leaves = 0;
  tree.forEach((place, k) => (level[k] = place.parent < 0 ? 0 : level[place.parent] + 1));
  // A place stands above the first of its children, so that what comes later never moves it.
  const stack = [0];
  while (stack.length) {
    const k = stack.pop();
    x[k] = 32 + leaves * dx;
    if (!children[k].length) leaves++;
    for (let i = children[k].length - 1; i >= 0; i--) stack.push(children[k][i]);
  }
  const yOf = (k) => 18 + level[k] * dy;
  const width = Math.max(60, 30 + leaves * dx);
  const height = 60 + Math.max(...level) * dy;
  const picture = drawing("tree", width, height, "");
  const parts = tree.map((place, k) => {
    const group = svg("g", {}, picture);
    if (place.parent >= 0) {
      const up = place.parent;
      const from = x[up] === x[k] ? `M${x[up]} ${yOf(up) + 24}` : `M${x[up]} ${yOf(k) - 20}H${x[k]}`;
      svg("path", { d: `${from}V${yOf(k) - 12}`, class: "edge" }, group);
    }
    const w = place.parent < 0 ? 42 : boxWidth;
    svg("rect", { x: x[k] - w / 2, y: yOf(k) - 12, width: w, height: 22, rx: 4 }, group);
    const fate = svg("text", { x: x[k] + boxWidth / 2 + 1, y: yOf(k) - 3, class: "fate" }, group);
    const label = place.parent < 0 ? "root" : place.option < 0 ? "none" : String(place.option);
    svg("text", { x: x[k], y: yOf(k) + 4, "text-anchor": "middle" }, group, label);
    const item = svg("text", { x: x[k], y: yOf(k) + 21, "text-anchor": "middle", class: "asks" }, group);
    if (place.option >= 0) svg("title", {}, group, `option ${label}: ${record.options[place.option]}`);
    else if (place.parent >= 0) {
      const without = record.items[tree[place.parent].item - 1];
      svg("title", {}, group, `no other option of item ${without}`);
    }
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
