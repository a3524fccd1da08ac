"""A timetable that respects the wishes of classes and teachers."""

import dlx_numba as dlx

times = ["Mon 9", "Mon 10", "Tue 9", "Tue 10"]
classes = ["A", "B"]
teachers = {"math": ["Ada", "Ben"], "physics": ["Ada", "Cleo"], "art": ["Ben", "Cleo"]}

options = {}
for name in classes:
    for subject in teachers:
        for teacher in teachers[subject]:
            for time in times:
                option = [(name, subject), (name, time), (teacher, time)]
                if subject == "physics":
                    option.append(("lab", time))
                options[f"{time}: {name} {subject} ({teacher})"] = option
print(len(options), "options, for example", options["Mon 9: A math (Ada)"])

lessons = [(name, subject) for name in classes for subject in teachers]
busy = [
    (who, time) for who in [*classes, "Ada", "Ben", "Cleo", "lab"] for time in times
]
timetable = dlx.ExactCover(options, items=lessons, secondary=busy)
print(timetable.count(), "timetables")

for option in options.values():
    teacher, _ = option[2]
    option.append(teacher)
bounds = {"Ada": (1, 3), "Ben": (1, 3), "Cleo": (1, 3)}
items = [*lessons, *bounds]
timetable = dlx.ExactCover(options, items=items, secondary=busy, multiplicity=bounds)
print(timetable.count(), "timetables with one to three lessons for each teacher")

wishes = {
    "Ada": [4, 0, 0, 4],
    "Ben": [1, 0, 0, 0],
    "Cleo": [4, 0, 4, 4],
    "A": [0, 0, 1, 3],
    "B": [2, 0, 0, 1],
}
costs = {}
for choice, option in options.items():
    (name, subject), (_, time), (teacher, _) = option[:3]
    cost = wishes[name][times.index(time)] + wishes[teacher][times.index(time)]
    if subject == "art" and time in ["Mon 9", "Tue 9"]:
        cost += 2
    costs[choice] = cost

timetable = dlx.ExactCover(
    options,
    items=items,
    secondary=busy,
    multiplicity=bounds,
    costs=costs,
    view="timetable",
)
solution = timetable.cheapest()[0]
print("cost:", solution.cost)

plan = {}
for (name, subject), (_, time), (teacher, _), *_ in solution.items:
    plan[time, name] = f"{subject} ({teacher})"
for time in times:
    print(f"{time:8}", *(f"{plan.get((time, name), ''):16}" for name in classes))
