// The arrays of the links, one column per node; changed cells also show their previous value.

const arraysView = (() => {
  const MAX_COLUMNS = 160; // larger tables show only the nodes that the step changed
  const showsAll = nNodes <= MAX_COLUMNS;
  const names = Object.keys(arrays);
  setText(byId("node-count"), nNodes.toLocaleString("en"));
  byId("changed-note").hidden = showsAll;
  byId("undrawn-note").hidden = DRAWS_LINKS;
  const container = byId("arrays");
  let cells = {};
  let marked = [];

  function ownerOf(node) {
    if (node === 0) return "root";
    if (node <= nItems) return record.items[node - 1];
    return shortReferences[optionOf[node]];
  }

  function buildTable(nodes) {
    const table = html("table");
    table.createCaption().textContent = "The arrays of the links, by node";
    const head = table.createTHead();
    for (const [label, format] of [["node", String], ["item, option", ownerOf]]) {
      const row = head.insertRow();
      html("th", {}, row, label);
      for (const node of nodes) html("th", { scope: "col" }, row, format(node));
    }
    const body = table.createTBody();
    cells = {};
    for (const name of names) {
      const row = body.insertRow();
      html("th", { scope: "row" }, row, name);
      cells[name] = new Map();
      for (const node of nodes) {
        const cell = html("td", { "data-array": name, "data-node": node }, row);
        if (node < arrays[name].length) cells[name].set(node, cell);
      }
    }
    container.replaceChildren(table);
  }

  function changedNodes() {
    const changed = (name) => [...changedCells(name).keys(), ...pendingCells(name)];
    const nodes = new Set(names.flatMap(changed));
    return [...nodes].sort((a, b) => a - b).slice(0, MAX_COLUMNS);
  }

  if (showsAll) buildTable([...Array(nNodes).keys()]);

  return function draw() {
    if (!showsAll) {
      const nodes = changedNodes();
      buildTable(nodes);
      const unit = { steps: "step", substeps: "sub-step", links: "phase" }[granularity];
      if (!nodes.length) {
        container.replaceChildren();
        html("p", { class: "note" }, container, `This ${unit} changes none of the arrays.`);
      }
    }
    for (const cell of marked) cell.removeAttribute("class");
    marked = [];
    for (const name of names) {
      for (const [node, cell] of cells[name]) setText(cell, formatCell(name, arrays[name][node]));
    }
    for (const name of names) {
      for (const [node, previous] of changedCells(name)) {
        const cell = cells[name].get(node);
        if (!cell) continue;
        setText(cell, "");
        html("del", {}, cell, formatCell(name, previous));
        html("ins", {}, cell, formatCell(name, arrays[name][node]));
        cell.className = "changed";
        marked.push(cell);
      }
      for (const node of pendingCells(name)) {
        const cell = cells[name].get(node);
        if (!cell) continue;
        cell.classList.add("pending");
        marked.push(cell);
      }
    }
  };
})();
