"""Find items whose names are probably misspelled."""

import re
from collections.abc import Hashable, Iterable, Iterator

MIN_WORD = 3  # shorter names are similar by chance
MAX_COMPARISONS = 100_000  # of names; more take longer than to encode the problem
NO_LETTER = r"[\W\d_]"


def check_spelling(
    secondary: list[Hashable], primary: list[Hashable], entries: Iterable[Hashable]
) -> None:
    """Raise ValueError if a secondary item in no option is probably a misspelled primary item."""
    used = {entry[0] if isinstance(entry, tuple) and entry else entry for entry in entries}
    unused = [item for item in secondary if isinstance(item, str) and item not in used]
    heads = (item[0] if isinstance(item, tuple) and item else item for item in primary)
    for item, meant in _find_meant(unused, heads if unused else ()):
        advice = "If not, list the items to cover in items"
        raise ValueError(
            f"optional item {item!r} is in no option; did you mean {meant!r}? {advice}"
        )


def suggest(item: Hashable, items: Iterable[Hashable]) -> str:
    """Return the end of a message about an unknown item: the item that is probably meant."""
    names = [item] if isinstance(item, str) else []
    return "".join(f"; did you mean {meant!r}?" for _, meant in _find_meant(names, items))


def _find_meant(names: list[str], others: Iterable[Hashable]) -> Iterator[tuple[str, str]]:
    """Yield each name that is probably a misspelled one of the others, and what it means."""
    texts = [other for other in others if isinstance(other, str)]
    simplified = {_simplify(text): text for text in texts}
    for name in names:
        meant = simplified.get(_simplify(name)) if len(name) >= MIN_WORD else None
        if meant is None and len(names) * len(texts) <= MAX_COMPARISONS:
            meant = next((text for text in texts if _is_typing_error(name, text)), None)
        if meant is not None:
            yield name, meant


def _simplify(name: str) -> str:
    """Return a name without its case and separators."""
    return re.sub(r"[\W_]+", " ", name).strip().casefold()


def _is_typing_error(name: str, other: str) -> bool:
    """Return whether a letter inside a word is missing, wrong or exchanged with the next one.

    Different things often have names that differ by a capital or by the last letter of a word.
    """
    pairs = enumerate(zip(name, other, strict=False))
    k = next((k for k, (a, b) in pairs if a != b), min(len(name), len(other)))
    a, b = name[k:], other[k:]
    start, end = re.split(NO_LETTER, name[:k])[-1], re.split(NO_LETTER, max(a, b, key=len))[0]
    is_one_letter = a[1:] == b or a == b[1:] or a[1:] == b[1:] != ""
    return (
        (is_one_letter or a[1::-1] + a[2:] == b)
        and start != ""
        and len(start + end) > MIN_WORD
        and (a[:1] + b[:1]).islower()
    )
