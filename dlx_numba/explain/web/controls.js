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
  setText(byId("text"), step.text);
  setText(byId("count"), `step ${stepIndex} of ${steps.length - 1}`);
  slider.value = stepIndex;
  slider.setAttribute("aria-valuetext", `step ${stepIndex}: ${step.text}`);
  byId("first").disabled = byId("back").disabled = stepIndex === 0;
  byId("last").disabled = byId("forward").disabled = stepIndex === steps.length - 1;
  for (const draw of [matrixView, linksView, arraysView, treeView, boardView]) draw();
}

function goTo(target) {
  const focused = document.activeElement;
  moveTo(target);
  render();
  // A button that is now disabled cannot keep the focus.
  if (focused?.disabled) byId("play").focus();
  // Browsers limit how often the URL can change, for example while a key repeats.
  clearTimeout(urlTimer);
  const writeUrl = () => history.replaceState(null, "", `#step=${stepIndex}`);
  urlTimer = setTimeout(writeUrl, URL_DELAY_MS);
}

function setPlaying(playing) {
  if (playing === (playTimer !== null)) return;
  clearInterval(playTimer);
  playTimer = null;
  if (playing) {
    if (stepIndex === steps.length - 1) goTo(0);
    playTimer = setInterval(() => {
      goTo(stepIndex + 1);
      if (stepIndex === steps.length - 1) setPlaying(false);
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
  if (next > 0) goTo(next);
}

function goToUrlStep() {
  const match = /^#step=(\d+)$/.exec(location.hash);
  goTo(match ? Number(match[1]) : stepIndex);
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
  back: stopping(() => goTo(stepIndex - 1)),
  forward: stopping(() => goTo(stepIndex + 1)),
  last: stopping(() => goTo(steps.length - 1)),
  play: () => setPlaying(playTimer === null),
};
const KEYS = {
  ArrowLeft: BUTTONS.back,
  ArrowRight: BUTTONS.forward,
  Home: BUTTONS.first,
  End: BUTTONS.last,
  PageUp: stopping(() => goTo(stepIndex - 10)),
  PageDown: stopping(() => goTo(stepIndex + 10)),
  " ": BUTTONS.play,
  "+": () => setPause(pauseMs / 1.5),
  "-": () => setPause(pauseMs * 1.5),
  n: stopping(goToNextCover),
  N: stopping(goToNextCover),
};

for (const [id, action] of Object.entries(BUTTONS)) byId(id).addEventListener("click", action);
slider.max = steps.length - 1;
slider.addEventListener("input", stopping(() => goTo(Number(slider.value))));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const tag = event.target.tagName;
  // Space activates a focused button, and the arrow keys scroll a focused panel that overflows.
  if (event.key === " " && (tag === "BUTTON" || tag === "SUMMARY")) return;
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
