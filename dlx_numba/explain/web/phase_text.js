// Descriptions of the phases of a step.

const MAX_LISTED = 8; // options or items in one sentence

function enumerate(noun, names) {
  if (names.length === 1) return `${noun} ${names[0]}`;
  const rest = names.length - MAX_LISTED;
  const listed = rest > 0 ? [...names.slice(0, MAX_LISTED), `${rest} more`] : names;
  const comma = listed.length > 2 ? "," : "";
  return `${noun}s ${listed.slice(0, -1).join(", ")}${comma} and ${listed.at(-1)}`;
}

const enumerateOptions = (options, noun = "option") =>
  enumerate(noun, options.map((option) => references[option]));
const enumerateItems = (items) => enumerate("item", items.map((item) => record.items[item - 1]));
const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// The options of which the change with this index hides or restores nodes.
function optionsOfChange(index) {
  const saved = [nApplied, nAssigned];
  const hiddenAfter = (count) => {
    applyChanges(count);
    return Array.from(optionOf, (option, node) => option >= 0 && isHidden(node));
  };
  const before = hiddenAfter(index);
  const after = hiddenAfter(index + 1);
  applyChanges(...saved);
  const options = new Set();
  before.forEach((hidden, node) => hidden !== after[node] && options.add(optionOf[node]));
  return [...options].sort((a, b) => a - b);
}

// The description of the current phase.
function phaseText() {
  const step = steps[stepIndex];
  if (!isDetailed()) return step.text;
  const role = roleOf(step);
  const { kind } = currentPhase();
  const name = `option ${describeOption(step.option)}`;
  if (kind === "complete") return role === "try" ? describeAttempt(step) : step.text;
  if (kind === "link") return describeAssignment(currentAssignment());
  if (kind === "row") return `Select the row of ${name}.`;
  if (kind === "columns") return describeColumns(step);
  const related = relatedOptions(stepIndex);
  if (kind === "related") {
    if (!related.length) return `No other remaining option conflicts with option ${references[step.option]}.`;
    const verb = related.length === 1 ? "conflicts" : "conflict";
    const names = capitalize(enumerateOptions(related));
    return `${names} ${verb} with option ${references[step.option]}, and will be removed.`;
  }
  if (kind === "before") return describeBefore(step, role, name, related);
  return describeChange(nApplied - 1, role);
}

function describeColumns(step) {
  const others = nodesOf(step.option, step.item).map((node) => arrays.column[node]);
  const covered = others.filter((item) => item === step.item && isCovered(item));
  if (others.length === 1) {
    return `Its only column is ${enumerateItems(others)}${covered.length ? ", which is covered already" : ""}.`;
  }
  const text = `Its columns are ${enumerateItems(others)}.`;
  return covered.length ? `${text} ${capitalize(enumerateItems(covered))} is covered already.` : text;
}

function describeBefore(step, role, name, related) {
  if (role === "try") return `Try ${name}. ${describeColumns(step)}`;
  if (role === "tweak") return `Select ${name}: its links are about to change.`;
  if (role === "undo") return `Undo ${name}, from the last change to the first.`;
  const items = step.changes.map(([item]) => item).filter((item) => item);
  const rows = related.length ? enumerateOptions(related, "row") : "";
  const column = `the column of ${enumerateItems(items)}`;
  if (role === "backtrack") {
    return rows ? `Restore ${column}, with ${rows}.` : `Restore ${column}.`;
  }
  return rows ? `Select ${column}, with ${rows}.` : `Select ${column}, which has no other rows.`;
}

function describeChange(index, role) {
  const { item, cells } = changes[index];
  const returns = role === "undo" || role === "backtrack";
  if (!item) {
    const listed = [...new Set([...changedCells("size").keys(), ...changedCells("capacity").keys()])]
      .filter((other) => other <= nItems);
    const moved = listed.filter((other) => isCovered(other) !== returns);
    const used = listed.filter((other) => !moved.includes(other));
    const sentences = [];
    if (used.length) {
      const verb = used.length === 1 ? "takes" : "take";
      sentences.push(`${capitalize(enumerateItems(used))} ${verb} the option, and can take more.`);
    }
    if (moved.length) {
      const verb = moved.length === 1 ? "leaves" : "leave";
      sentences.push(`${capitalize(enumerateItems(moved))} ${verb} the item list.`);
    }
    return sentences.join(" ");
  }
  const options = optionsOfChange(index);
  const name = record.items[item - 1];
  const purified = cells.purifier !== undefined;
  if (!options.length) {
    const done = purified ? "purified" : returns ? "uncovered" : "covered";
    return `Item ${name} is ${done}: no other item ${returns ? "gains" : "loses"} an option.`;
  }
  const listed = enumerateOptions(options);
  if (returns) return `Uncover item ${name}: restore ${listed}.`;
  if (purified) return `Purify item ${name} to color ${record.colors[colorOf(purifierOf(item)) - 1]}: hide ${listed}.`;
  return `Cover item ${name}: hide ${listed}.`;
}

const PURPOSES = {
  detach: (item) => `Remove ${item} from the item list`,
  attach: (item) => `Return ${item} to the item list`,
  hide: (node) => `Hide ${node}`,
  restore: (node) => `Restore ${node}`,
  use: (item) => `${capitalize(item)} takes the option`,
  release: (item) => `${capitalize(item)} returns the option`,
  purify: (item) => `Give ${item} a color`,
  unpurify: (item) => `Take the color from ${item}`,
};

// Such as "Hide node 22 (option 5, item 3): D[U[x]] ← D[x] for x = 22. D[12] changes from 22 to 4."
function describeAssignment({ operation, formula, x, array, cell, value, previous }) {
  const owner = x > nItems ? `option ${references[optionOf[x]]}, item ${record.items[arrays.column[x] - 1]}` : "";
  const subject = owner ? `node ${x} (${owner})` : `item ${record.items[x - 1]}`;
  const [before, after] = [previous, value].map((number) => formatCell(array, number));
  // A secondary item is linked only to itself, so that removing it changes no link.
  const effect = before === after ? `stays ${after}` : `changes from ${before} to ${after}`;
  const name = ASSIGNMENTS[operation][formula];
  return `${PURPOSES[operation](subject)}: ${name} for x = ${x}. ${array}[${cell}] ${effect}.`;
}

function describeAttempt(step) {
  const text = `The partial solution grows: option ${references[step.option]} is added.`;
  const lacking = lackingItem();
  if (!lacking) return text;
  const few = arrays.need ? "too few" : "no";
  return `${text} But item ${record.items[lacking - 1]} has ${few} options left, so the attempt fails.`;
}
