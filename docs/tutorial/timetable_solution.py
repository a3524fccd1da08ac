"""A roster for a food stall."""

import dlx_numba as dlx

shifts = ["Friday", "Saturday noon", "Saturday night", "Sunday"]
wishes = {
    "Ann": [0, 2, 1, 3],
    "Bob": [2, 0, 3, 1],
    "Cem": [1, 1, 0, 4],
    "Dan": [3, 1, 0, 0],
    "Eve": [0, 3, 1, 1],
}

options, costs = {}, {}
for person in wishes:
    for shift, cost in zip(shifts, wishes[person]):
        option = [shift, person]
        if person in ["Dan", "Eve"]:
            option.append(("Dan or Eve", shift))
        options[f"{person}: {shift}"] = option
        costs[f"{person}: {shift}"] = cost

bounds = {shift: 2 for shift in shifts}
bounds.update({person: (1, 2) for person in wishes})
apart = [("Dan or Eve", shift) for shift in shifts]
roster = dlx.ExactCover(options, secondary=apart, multiplicity=bounds, costs=costs)
print(roster.count(), "rosters")

solution = roster.cheapest()[0]
print("cost:", solution.cost)
for shift in shifts:
    print(shift, *(option[1] for option in solution.items if option[0] == shift))
