"""Strict JSON: no object has a key twice."""

import json
import re
from collections import Counter
from typing import Any

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def load_json(text: str | bytes) -> Any:
    """Return a JSON value, in which no object has a key twice.

    Raises
    ------
    json.JSONDecodeError
        If the text is not valid JSON; the attributes `msg` and `lineno` state the reason.
    ValueError
        If it is not UTF-8, or the value is nested too deeply or cannot be written again.
    """
    try:
        text = text if isinstance(text, str) else text.decode("utf-8-sig")
        value = json.loads(text, object_pairs_hook=unique_keys)
        if _ESCAPED_SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except json.JSONDecodeError as error:
        raise json.JSONDecodeError(f"not valid JSON: {error.msg}", error.doc, error.pos) from None
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except UnicodeEncodeError:
        raise ValueError("a string contains half of a surrogate pair") from None
    except RecursionError:
        raise ValueError("the JSON value is nested too deeply") from None


def looks_like_json(text: str) -> bool:
    """Return whether a text starts like an object or a list."""
    return text.lstrip().startswith(("{", "["))


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict, or raise ValueError if a key appears twice."""
    value = dict(pairs)
    if len(value) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {key!r} appears twice in a JSON object")
    return value
