"""Deductions in exact cover problems: the simplest conclusion, and what remains after it.

Five rules about items and options, on bitmaps of the options that are still available:

- *only*: an item has as many available options as it needs, so these are chosen;
- *conflict*: each available option of an item excludes another option, which is removed;
- *set* of n: each available option of n items contains one of n other items, which are covered at
  most once. No option contains two of the former. So these items use up the latter, and all further
  options that contain one of them are removed;
- *chain* of k: choosing an option, and then, k times, all options that are the only ones of an
  item, leaves an item with too few options, so the first option is removed;
- *total*: with an option, the digits of a board's cells cannot have a sum within its limits.
"""
