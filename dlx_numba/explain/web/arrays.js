// The arrays of the links, one column per node; changed cells also show their previous value.

const arraysView = (() => {
  const MAX_COLUMNS = 160; // larger tables show only the nodes that the step changed
  const showsAll = nNodes <= MAX_COLUMNS;
  const names = Object.keys(arrays);
  const note = document.getElementById("arrays-note");
  note.textContent =
    "Node 0 is the root. The items follow, then the nodes of the options, in order. " +
    "Cells that this step changed are underlined, with the previous value above. " +
    "C is 2³⁰; it is added to the size of every item that cannot be chosen." +
    (arrays.need
      ? " The need of an item is the number of options that it still needs (negative if it has more " +
        "than it needs), its capacity is the number that it can still take, and its size is its " +
        "number of branches: the options left, plus 1, minus the options that it still needs."
      : "") +
    (showsAll
      ? ""
      : ` Of the ${nNodes.toLocaleString("en")} nodes, only those that this step changed are shown.`) +
    (DRAWS_LINKS ? "" : " There are too many links to draw them.");
  const container = document.getElementById("arrays");
  let cells = {};
  let marked = [];

  function ownerOf(node) {
    if (node === 0) return "root";
    if (node <= nItems) return record.items[node - 1];
    return shortReferences[optionOf[node]];
  }

  function addCell(parent, tag, text, attributes = {}) {
    const cell = document.createElement(tag);
    cell.textContent = text;
    setAttributes(cell, attributes);
    parent.append(cell);
    return cell;
  }

  function buildTable(nodes) {
    const table = document.createElement("table");
    table.createCaption().textContent = "The arrays of the links, by node";
    const head = table.createTHead();
    for (const [label, format] of [["node", String], ["item, option", ownerOf]]) {
      const row = head.insertRow();
      addCell(row, "th", label);
      for (const node of nodes) addCell(row, "th", format(node), { scope: "col" });
    }
    const body = table.createTBody();
    cells = {};
    for (const name of names) {
      const row = body.insertRow();
      addCell(row, "th", name, { scope: "row" });
      cells[name] = new Map();
      for (const node of nodes) {
        const cell = addCell(row, "td", "", { "data-array": name, "data-node": node });
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
        addCell(container, "p", `This ${unit} changes none of the arrays.`, { class: "note" });
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
        addCell(cell, "del", formatCell(name, previous));
        addCell(cell, "ins", formatCell(name, arrays[name][node]));
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
