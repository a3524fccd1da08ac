// The listing of the algorithm, with the current step highlighted. The labels are Knuth's.

const SHARED_STEPS = [
  ["Initialize.", "Set up the links of the problem, and start at level l = 0."],
  ["Enter level l.", "If no item is left, the chosen options form a cover: visit it, and leave the level."],
  ["Choose i.", "Choose an item i to branch on. If it has too few options left, leave the level."],
];
const STEPS_X = [
  ...SHARED_STEPS,
  ["Cover i.", "Remove i and the options that contain it. Let xₗ be its first option."],
  ["Try xₗ.", "If no option of i is left, go to 7. Otherwise cover the other items of xₗ; go to 2 at level l + 1."],
  ["Try again.", "Uncover the items of xₗ, let xₗ be the next option of i, and go to 5."],
  ["Backtrack.", "Uncover i."],
  ["Leave level l.", "If no option remains to be tried, stop. Otherwise return to level l − 1, and go to 6."],
];
const STEPS_M = [
  ...SHARED_STEPS,
  ["Prepare to branch on i.", "If i can take only one option, cover it. Let xₗ be its first option."],
  ["Possibly tweak xₗ.", "If i can take more options, remove xₗ from all lists, so that no set is found twice."],
  ["Try xₗ.", "Use xₗ, and cover the items that can take no more options; go to 2 at level l + 1."],
  ["Try again.", "Undo xₗ, let xₗ be the next option of i, and go to 5; if none is left, go to 8."],
  ["Restore i.", "Restore i and its options."],
  ["Leave level l.", "At level 0, stop. Otherwise return to level l − 1, and go to 7."],
];

const listedSteps = arrays.need ? STEPS_M : STEPS_X;
const titleOf = ({ name }) => listedSteps[Number(name.slice(1)) - 1][0];

const listingView = (() => {
  const letter = steps[0].name[0];
  const lines = listedSteps.map(([title, sentence], k) => {
    const line = html("li", {}, byId("listing"));
    html("strong", {}, line, `${letter}${k + 1} [${title}]`);
    line.append(` ${sentence.replace(/go to (\d)/g, `go to ${letter}$1`)}`);
    return line;
  });
  return function draw() {
    const current = Number(steps[stepIndex].name.slice(1)) - 1;
    lines.forEach((line, k) => setAttributes(line, { "aria-current": k === current ? "step" : "false" }));
  };
})();
