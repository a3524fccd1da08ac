// What a page of a search shows at a step, and its panels.

const PRINTED_WIDTH = 680; // pixels of a page of paper
const [MIN_ZOOM, MAX_ZOOM] = [1, 5]; // of a panel on the whole screen
let showsHint = false;

function render() {
  const step = steps[stepIndex];
  const lines = [...byId("listing").children];
  const currentLine = lines[Number(step.name.slice(1)) - 1];
  for (const line of lines) line.ariaCurrent = line === currentLine ? "step" : "false";
  setText(byId("name"), currentLine.querySelector("strong").textContent);
  const text = phaseText();
  setText(byId("text"), text);
  setText(byId("step-count"), `step ${stepIndex} of ${steps.length - 1}`);
  setText(byId("phase-count"), phaseCount());
  byId("separator").hidden = !phaseCount();
  renderPosition([`step ${stepIndex}`, phaseCount()].filter(Boolean).join(", "), text);
  byId("previous-cover").disabled = previousCover() === undefined;
  byId("next-cover").disabled = nextCover() === undefined;
  byId("granularity").value = granularity;
  byId("condensed").checked = isCondensed;
  byId("fold").checked = isFolded;
  document.body.classList.toggle("with-substeps", isDetailed());
  renderPartialSolution();
  renderEnd();
  renderHint();
  for (const draw of [matrixView, linksView, arraysView, drawTree, pictureView, coversView]) draw();
  describeShownCover();
  drawMarks();
  for (const action of afterDrawing.splice(0)) action();
}

// Such as "sub-step 2 of 7", or "" if the step has no others.
function phaseCount() {
  const nPhases = phases.length;
  if (nPhases === 1) return "";
  if (granularity === "substeps") return `sub-step ${phaseIndex + 1} of ${nPhases}`;
  return `assignment ${Math.min(phaseIndex, nPhases - 2)} of ${nPhases - 2}`;
}

// The partial solution, which grows and shrinks when a step is complete. If it is long, its end.
function renderPartialSolution() {
  const MAX_NAMES = 3;
  const names = completedStep().chosen.map((option) => references[option]);
  const isNew = isComplete() && steps[stepIndex].role === "try";
  const newest = isNew ? `+ ${names.pop()}` : "";
  const shown = [...(names.length > MAX_NAMES ? ["…"] : []), ...names.slice(-MAX_NAMES)];
  const listed = shown.join(" · ") || (isNew ? "" : "no options");
  byId("partial").innerHTML = `Partial solution: ${escapeText(listed)} ${tag("strong", {}, escapeText(newest))}`;
  byId("partial").hidden = !isDetailed();
}

// What people could conclude from the options chosen so far.
function renderHint() {
  const hint = record.hints[completedStep().tree_node] || "Nothing simple follows from these options: the search has to try one.";
  byId("what-follows").ariaPressed = showsHint;
  byId("hint").hidden = !showsHint;
  setText(byId("hint"), hint.replaceAll("`", ""));
}

// After the last step of an incomplete recording, a note, and a button if the last cover is not shown.
function renderEnd() {
  byId("end-note").hidden = record.is_complete || completedIndex() < steps.length - 1;
  const end = coverSteps.length ? "here" : "before a cover is found";
  setText(byId("end-text"), `The recording ends ${end}.`);
  byId("show-cover").hidden = !coverSteps.length || shownCover() >= 0;
}

function fragment() {
  const phase = isComplete() ? "" : `&phase=${phaseIndex + 1}`;
  const mode = isDetailed() ? `&${granularity}` : "";
  return `#step=${stepIndex}${phase}${mode}${isCondensed ? "&condensed" : ""}${showsHint ? "&follows" : ""}`;
}

// The step stays the same.
const changeGranularity = (name) =>
  go(() => {
    setGranularity(name);
    moveTo(stepIndex, Infinity);
  });

// Switches between complete steps and another granularity.
const toggleGranularity = (name) => changeGranularity(granularity === name ? "steps" : name);

// A presentation shows one panel or two, as large as the screen allows.
function present() {
  const shown = ["panel", "beside"].map((id) => byId(id).value);
  document.body.classList.toggle("presenting", shown[0] !== "");
  for (const { value } of byId("panel").options) byId(value)?.classList.toggle("presented", shown[0] && shown.includes(value));
  fitPanels();
  render(); // scrolls to what is current
}

function fitPanels() {
  const contents = [...document.querySelectorAll("main section > :is(.scroll, #listing)")];
  for (const { style } of contents) style.zoom = style.maxHeight = "";
  if (!document.body.classList.contains("presenting")) return;
  for (const content of contents.filter((each) => each.closest(".presented"))) {
    const panel = content.closest("section");
    const [{ top }, { paddingRight }] = [content.getBoundingClientRect(), getComputedStyle(panel)];
    const height = innerHeight - top - scrollY - parseFloat(paddingRight);
    const width = panel.clientWidth - 2 * parseFloat(paddingRight);
    const scale = Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, width / content.scrollWidth, height / content.scrollHeight));
    content.style.zoom = scale;
    content.style.maxHeight = `${height / scale}px`;
  }
}

function presentNext(id) {
  const { selectedIndex, length } = byId(id);
  byId(id).selectedIndex = (selectedIndex + 1) % length;
  present();
}

// Covers are found when a step is complete.
const nextCover = () => coverSteps.find((index) => index > completedIndex());
const previousCover = () => coverSteps.findLast((index) => index < stepIndex);

function goToUrlStep(url) {
  const view = new URLSearchParams(new URL(url).hash.slice(1));
  const number = (name, otherwise) => (/^\d+$/.test(view.get(name)) ? Number(view.get(name)) : otherwise);
  show(() => {
    const name = Object.keys(GRANULARITIES).find((each) => view.has(each)) ?? "steps";
    if (name !== granularity) setGranularity(name);
    isCondensed = view.has("condensed");
    showsHint = view.has("follows");
    moveTo(number("step", stepIndex), number("phase", Infinity) - 1);
  });
}

const goToStep = (index) => go(() => moveTo(index, Infinity)); // when it is complete
const OWN_BUTTONS = {
  "previous-cover": () => goToStep(previousCover()),
  "next-cover": () => goToStep(nextCover()),
  "show-cover": () => goToStep(coverSteps.at(-1)),
  "what-follows": () => {
    show(() => (showsHint = !showsHint));
    fitPanels();
  },
};
const OWN_KEYS = {
  v: () => presentNext("panel"),
  b: () => byId("panel").value && presentNext("beside"),
  s: () => toggleGranularity("substeps"),
  l: () => toggleGranularity("links"),
};
byId("granularity").addEventListener("change", () => changeGranularity(byId("granularity").value));
for (const list of [byId("panel"), byId("beside")]) {
  list.addEventListener("change", present);
  for (const panel of document.querySelectorAll("main section:not([hidden])")) {
    list.add(new Option(panel.querySelector("h2").textContent, panel.id));
  }
}
window.addEventListener("resize", fitPanels);
byId("condensed").addEventListener("change", () => show(() => (isCondensed = !isCondensed)));
byId("fold").addEventListener("change", () => show(() => (isFolded = !isFolded)));
// On paper, panels show everything, and are as wide as the page at most.
for (const [event, isPrinting] of [["beforeprint", true], ["afterprint", false]]) {
  window.addEventListener(event, () => {
    for (const panel of document.querySelectorAll(".scroll")) {
      panel.style.zoom = isPrinting ? Math.min(1, PRINTED_WIDTH / panel.scrollWidth) : "";
    }
  });
}
document.body.classList.toggle("without-secondary", nItems === record.n_primary);
document.body.classList.toggle("with-multiplicities", Boolean(arrays.need));
setText(byId("summary"), record.summary);
setText(byId("ending"), record.ending);
