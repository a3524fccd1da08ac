"""The size of the public interface, which should rather shrink than grow.

The names in `dlx_numba.__all__` are counted: the functions, and of the classes all public methods,
properties and fields, also inherited ones. `SudokuRules` is left out: it has a field for each rule.
"""

import inspect

import dlx_numba as dlx

MAX_NAMES, MAX_PARAMETERS = 154, 320
MAX_MEMBERS = 32  # of ExactCover


def members(kind):
    """The public members of a class by their names, and the fields that it declares."""
    found = {}
    for base in kind.__mro__:
        if base.__module__.startswith("dlx_numba"):
            fields = dict.fromkeys(getattr(base, "__annotations__", ()))
            found = {**fields, **vars(base), **found}
    return {name: value for name, value in found.items() if not name.startswith("_")}


def n_parameters(function):
    function = getattr(function, "__func__", function)  # of a class method
    if not inspect.isfunction(function):
        return 0
    return len(inspect.signature(function).parameters.keys() - {"self", "cls"})


def counted():
    """Yield the functions, and the members of the classes."""
    for name in set(dlx.__all__) - {"SudokuRules", "__version__"}:
        value = getattr(dlx, name)
        yield from members(value).values() if inspect.isclass(value) else [value]


def test_the_interface_does_not_grow():
    values = [*counted()]
    assert len(values) <= MAX_NAMES
    assert sum(map(n_parameters, values)) <= MAX_PARAMETERS
    assert len(members(dlx.ExactCover)) <= MAX_MEMBERS
