// Navigation between steps: buttons, keys, slider and URL.

const byId = (id) => document.getElementById(id);
const slider = byId("slider");
const FIRST_TITLES = ["Initialize.", "Enter level l.", "Choose i."];
const TITLES_X = ["Cover i.", "Try xₗ.", "Try again.", "Backtrack.", "Leave level l."];
const TITLES_M = [
  "Prepare to branch on i.",
  "Possibly tweak xₗ.",
  "Try xₗ.",
  "Try again.",
  "Restore i.",
  "Leave level l.",
];
const STEP_TITLES = [...FIRST_TITLES, ...(arrays.need ? TITLES_M : TITLES_X)]; // Knuth's
const MIN_PAUSE_MS = 60;
const MAX_PAUSE_MS = 4000;
const URL_DELAY_MS = 150;
let playTimer = null;
let urlTimer = null;
let pauseMs = 900; // between steps during playback

function render() {
  const step = steps[stepIndex];
  setText(byId("name"), `${step.name} [${STEP_TITLES[Number(step.name.slice(1)) - 1]}]`);
  const text = phaseText();
  const nPhases = phases[stepIndex].length;
  const part = hasSubsteps && nPhases > 1 ? `, part ${phaseIndex + 1} of ${nPhases}` : "";
  setText(byId("text"), text);
  setText(byId("count"), `step ${stepIndex} of ${steps.length - 1}${part}`);
  slider.max = lastPosition();
  slider.value = position();
  slider.setAttribute("aria-valuetext", `step ${stepIndex}${part}: ${text}`);
  byId("first").disabled = byId("back").disabled = position() === 0;
  byId("last").disabled = byId("forward").disabled = position() === lastPosition();
  byId("substeps").checked = hasSubsteps;
  byId("condensed").checked = isCondensed;
  document.body.classList.toggle("with-substeps", hasSubsteps);
  renderPartialSolution();
  for (const draw of [matrixView, linksView, arraysView, treeView, boardView]) draw();
}

// The partial solution, which grows and shrinks when a step is complete. If it is long, its end.
function renderPartialSolution() {
  const MAX_LENGTH = 64;
  const { chosen } = completedStep();
  const names = chosen.map(describeOption);
  const listed = names.slice(-1);
  while (listed.length < names.length) {
    const next = names.at(-1 - listed.length);
    if (listed.join(" · ").length + next.length > MAX_LENGTH) break;
    listed.unshift(next);
  }
  const omitted = listed.length < names.length ? ["…"] : [];
  const isNew = isComplete() && roleOf(steps[stepIndex]) === "try";
  const newest = document.createElement("strong");
  if (isNew) newest.textContent = `+ ${listed.pop()}`;
  const rest = [...omitted, ...listed].join(" · ");
  const none = names.length ? "" : "no options";
  const separator = rest && isNew ? " · " : "";
  byId("partial").replaceChildren(`Partial solution: ${none}${rest}${separator}`, newest);
  byId("partial").hidden = !hasSubsteps;
}

function goTo(target) {
  show(() => moveToPosition(target));
}

// Move, draw the page and write the URL.
function show(move) {
  const focused = document.activeElement;
  move();
  render();
  // A button that is now disabled cannot keep the focus.
  if (focused?.disabled) byId("play").focus();
  // Browsers limit how often the URL can change, for example while a key repeats.
  clearTimeout(urlTimer);
  urlTimer = setTimeout(() => history.replaceState(null, "", fragment()), URL_DELAY_MS);
}

function fragment() {
  const part = isComplete() ? "" : `&part=${phaseIndex + 1}`;
  return `#step=${stepIndex}${part}${hasSubsteps ? "&substeps" : ""}${isCondensed ? "&condensed" : ""}`;
}

// Without sub-steps, only complete steps are shown.
function setSubsteps(enabled) {
  show(() => {
    hasSubsteps = enabled;
    moveTo(stepIndex, Infinity);
  });
}

function setCondensed(enabled) {
  show(() => {
    isCondensed = enabled;
  });
}

function setPlaying(playing) {
  if (playing === (playTimer !== null)) return;
  clearInterval(playTimer);
  playTimer = null;
  if (playing) {
    if (position() === lastPosition()) goTo(0);
    playTimer = setInterval(() => {
      goTo(position() + 1);
      if (position() === lastPosition()) setPlaying(false);
    }, pauseMs);
  }
  setText(byId("play"), playing ? "Pause" : "Play");
  byId("play").setAttribute("aria-pressed", playing);
  byId("sentence").setAttribute("aria-live", playing ? "off" : "polite");
}

function setPause(milliseconds) {
  pauseMs = Math.max(MIN_PAUSE_MS, Math.min(MAX_PAUSE_MS, milliseconds));
  if (playTimer !== null) {
    setPlaying(false);
    setPlaying(true);
  }
}

function goToNextCover() {
  const next = steps.findIndex((step, k) => k > stepIndex && step.name.endsWith("2"));
  if (next > 0) show(() => moveTo(next, Infinity));
}

function goToUrlStep() {
  const view = new URLSearchParams(location.hash.slice(1));
  const number = (name, otherwise) => {
    const value = view.get(name) ?? "";
    return /^\d+$/.test(value) ? Number(value) : otherwise;
  };
  show(() => {
    hasSubsteps = view.has("substeps");
    isCondensed = view.has("condensed");
    moveTo(number("step", stepIndex), number("part", Infinity) - 1);
  });
}

// An action that first stops playback.
function stopping(action) {
  return () => {
    setPlaying(false);
    action();
  };
}

const BUTTONS = {
  first: stopping(() => goTo(0)),
  back: stopping(() => goTo(position() - 1)),
  forward: stopping(() => goTo(position() + 1)),
  last: stopping(() => goTo(lastPosition())),
  play: () => setPlaying(playTimer === null),
};
const KEYS = {
  ArrowLeft: BUTTONS.back,
  ArrowRight: BUTTONS.forward,
  Home: BUTTONS.first,
  End: BUTTONS.last,
  PageUp: stopping(() => goTo(position() - 10)),
  PageDown: stopping(() => goTo(position() + 10)),
  " ": BUTTONS.play,
  "+": () => setPause(pauseMs / 1.5),
  "-": () => setPause(pauseMs * 1.5),
  n: stopping(goToNextCover),
  N: stopping(goToNextCover),
  s: stopping(() => setSubsteps(!hasSubsteps)),
  S: stopping(() => setSubsteps(!hasSubsteps)),
  c: () => setCondensed(!isCondensed),
  C: () => setCondensed(!isCondensed),
};

for (const [id, action] of Object.entries(BUTTONS)) byId(id).addEventListener("click", action);
byId("substeps").addEventListener("change", stopping(() => setSubsteps(!hasSubsteps)));
byId("condensed").addEventListener("change", () => setCondensed(!isCondensed));
slider.addEventListener("input", stopping(() => goTo(Number(slider.value))));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const tag = event.target.tagName;
  // Space activates a focused control, and the arrow keys scroll a focused panel that overflows.
  const takesSpace = tag === "BUTTON" || tag === "SUMMARY" || event.target.type === "checkbox";
  if (event.key === " " && takesSpace) return;
  const panel = event.target.closest?.(".scroll");
  if (panel && event.key.startsWith("Arrow") && panel.scrollWidth > panel.clientWidth) return;
  const action = KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
window.addEventListener("hashchange", goToUrlStep);
setText(byId("summary"), record.summary);
setText(byId("ending"), record.ending);
goToUrlStep();
