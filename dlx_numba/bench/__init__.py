"""The benchmark of the older systems: four sets of qqwing boards, each solver on each board."""
