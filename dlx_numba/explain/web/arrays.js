// The arrays of the links, one column per node; changed cells also show their previous value.

const arraysView = (() => {
  const MAX_COLUMNS = 160; // larger tables show only the nodes that the step changed
  const [LABELS_WIDTH, MIN_WIDTH, LETTER_WIDTH] = [150, 36, 8]; // in pixels: of names, of a column, of a letter in it
  const showsAll = nNodes <= MAX_COLUMNS;
  setText(byId("node-count"), nNodes.toLocaleString("en"));
  byId("changed-note").hidden = showsAll;
  byId("undrawn-note").hidden = DRAWS_LINKS;

  function ownerOf(node) {
    if (node === 0) return "root";
    return node <= nItems ? record.items[node - 1] : shortReferences[optionOf[node]];
  }

  // A cell of an array. Its previous value is undefined if it has not changed.
  function drawCell(name, node, previous, isPending) {
    const look = { "data-array": name, "data-node": node, class: namesOf({ pending: isPending, changed: previous !== undefined }) };
    if (node >= arrays[name].length) return tag("td", look);
    const text = formatCell(name, arrays[name][node]);
    return tag("td", look, previous === undefined ? text : tag("del", {}, formatCell(name, previous)) + tag("ins", {}, text));
  }

  // The nodes of each table, so that the tables fit the window.
  function divide(nodes) {
    const bands = [[]];
    const room = document.querySelector("main").clientWidth - LABELS_WIDTH;
    let width = 0;
    for (const node of nodes) {
      const own = Math.max(MIN_WIDTH, LETTER_WIDTH * (ownerOf(node).length + 2));
      if (width + own > room && bands.at(-1).length) {
        bands.push([]);
        width = 0;
      }
      bands.at(-1).push(node);
      width += own;
    }
    return bands;
  }

  return function draw() {
    const changed = arrayNames.map(changedCells);
    const pending = arrayNames.map(pendingCells);
    const differing = new Set([...changed, ...pending].flatMap((cells) => [...cells.keys()]));
    const nodes = showsAll ? nodeNumbers : [...differing].sort((a, b) => a - b).slice(0, MAX_COLUMNS);
    const unit = { steps: "step", substeps: "sub-step", links: "phase" }[granularity];
    const note = tag("p", { class: "note" }, `This ${unit} changes none of the arrays.`);
    byId("arrays").innerHTML = nodes.length ? divide(nodes).map((band) => drawTable(band, changed, pending)).join("") : note;
  };

  function drawTable(nodes, changed, pending) {
    const drawRow = (label, cells) => tag("tr", {}, tag("th", { scope: "row" }, label), ...cells);
    const head = [["node", String], ["item, option", ownerOf]].map(([label, format]) =>
      drawRow(label, nodes.map((node) => tag("th", { scope: "col" }, escapeText(format(node))))));
    const body = arrayNames.map((name, k) =>
      drawRow(name, nodes.map((node) => drawCell(name, node, changed[k].get(node), pending[k].has(node)))));
    return tag("table", {}, "<caption>The arrays of the links, by node</caption>", tag("thead", {}, ...head), tag("tbody", {}, ...body));
  }
})();
