// The arrays of the links, one column per node; changed cells also show their previous value.

const arraysView = (() => {
  const MAX_COLUMNS = 160; // larger tables show only the nodes that the step changed
  const showsAll = nNodes <= MAX_COLUMNS;
  setText(byId("node-count"), nNodes.toLocaleString("en"));
  byId("changed-note").hidden = showsAll;
  byId("undrawn-note").hidden = DRAWS_LINKS;

  function ownerOf(node) {
    if (node === 0) return "root";
    return node <= nItems ? record.items[node - 1] : shortReferences[optionOf[node]];
  }

  function addRow(part, scope, name) {
    const row = part.insertRow();
    html("th", { scope }, row, name);
    return row;
  }

  // Adds a cell of an array. Its previous value is undefined if it has not changed.
  function addCell(row, name, node, previous, isPending) {
    const cell = html("td", { "data-array": name, "data-node": node }, row);
    if (node >= arrays[name].length) return;
    const text = formatCell(name, arrays[name][node]);
    if (isPending) cell.classList.add("pending");
    if (previous === undefined) return setText(cell, text);
    cell.classList.add("changed");
    html("del", {}, cell, formatCell(name, previous));
    html("ins", {}, cell, text);
  }

  return function draw() {
    const changed = arrayNames.map(changedCells);
    const pending = arrayNames.map(pendingCells);
    const differing = new Set([...changed, ...pending].flatMap((cells) => [...cells.keys()]));
    const nodes = showsAll ? [...Array(nNodes).keys()] : [...differing].sort((a, b) => a - b).slice(0, MAX_COLUMNS);
    const table = html("table");
    table.createCaption().textContent = "The arrays of the links, by node";
    const head = table.createTHead();
    for (const [label, format] of [["node", String], ["item, option", ownerOf]]) {
      const row = addRow(head, "row", label);
      for (const node of nodes) html("th", { scope: "col" }, row, format(node));
    }
    const body = table.createTBody();
    arrayNames.forEach((name, k) => {
      const row = addRow(body, "row", name);
      for (const node of nodes) addCell(row, name, node, changed[k].get(node), pending[k].has(node));
    });
    const unit = { steps: "step", substeps: "sub-step", links: "phase" }[granularity];
    const note = html("p", { class: "note" }, null, `This ${unit} changes none of the arrays.`);
    byId("arrays").replaceChildren(nodes.length ? table : note);
  };
})();
