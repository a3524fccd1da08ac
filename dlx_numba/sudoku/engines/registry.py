"""The table of Sudoku engines, which are created when they are first needed."""

from typing import NamedTuple, get_args

from ...runtime.arguments import check_choice, invalid_choice
from ...runtime.choices import BoardRule
from ..box import Box
from .base import Boards, Engine, EngineResult, Pool, Rules, StopCheck

LEFTMOST = "dlx leftmost"  # the engine `dlx` that chooses the first item


class EngineSpec(NamedTuple):
    """The batches for which an engine is efficient, and the unit of its work."""

    name: str
    block_size: int  # boards per call, so that the overhead of a call is negligible
    work_unit: str = "nodes"  # the unit of `EngineResult.nodes`: "nodes" or "guesses"
    boards_at_once: int = 1  # the smallest efficient batch of a thread


LANES_BOX = Box(3, 3)  # the only box that "lanes" supports
MAX_DLX_SIDE = 16  # many larger boards take a search in one order hours
ENGINES: dict[str, EngineSpec] = {
    spec.name: spec
    for spec in (
        EngineSpec("lanes", 16384, work_unit="guesses", boards_at_once=32),
        EngineSpec("dlx", 1024),
        EngineSpec("textbook", 1024),
        EngineSpec("portfolio", 1),
        EngineSpec("sat", 1),
    )
}


_LEFTMOST_SPEC = ENGINES["dlx"]._replace(name=LEFTMOST)

# Rules take the place of the name of an engine.
RULES_SPEC = EngineSpec("auto", 1024, boards_at_once=16)


def select_rule(engine: str, choose: str | None) -> str:
    """Return the name of an engine with a branching rule; without a rule, its own name.

    Raises ValueError if the engine runs no exact cover search, or the rule is unknown.

    >>> select_rule("lanes", None), select_rule("auto", "smallest")
    ('lanes', 'dlx')
    """
    if choose is None:
        return engine
    check_choice("choose", choose, get_args(BoardRule))
    if engine not in ("auto", "dlx"):
        raise ValueError(f"choose needs the engine 'dlx', not {engine!r}")
    return LEFTMOST if choose == "leftmost" else "dlx"


def choose_engine(name: str | Rules, rules: Rules | None) -> str | Rules:
    """Return the rules if there are any, otherwise the name of an engine.

    Raises
    ------
    ValueError
        If an engine is named that does not support rules: all but "auto".
    TypeError
        If the rules are of another type.
    """
    if not isinstance(name, str):
        raise invalid_choice("engine", name, ("auto", *ENGINES))
    if rules is None:
        return name
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be a SudokuRules, not {rules!r}")
    if name != "auto":
        # The first word: "dlx" of `LEFTMOST`
        raise ValueError(f"engine {name.split()[0]!r} does not support rules; use 'auto'")
    return rules


def resolve_engine(name: str | Rules, box: Box) -> EngineSpec:
    """Return the specification of an engine.

    Parameters
    ----------
    name
        A key of `ENGINES`, or "auto" for the fastest engine that supports the box; or rules.
    box
        The box of the boards to solve.

    Raises
    ------
    ValueError
        If there is no such engine, or it does not support the box.

    Examples
    --------
    >>> [resolve_engine("auto", Box(n, n)).name for n in (3, 4, 5)]
    ['lanes', 'dlx', 'portfolio']
    """
    if not isinstance(name, str):
        return RULES_SPEC
    if name == "auto":
        name = "dlx" if box.n <= MAX_DLX_SIDE else "portfolio"
        if box == LANES_BOX:
            name = "lanes"
    spec = _LEFTMOST_SPEC if name == LEFTMOST else ENGINES.get(name)
    if spec is None:
        raise invalid_choice("engine", name, ("auto", *ENGINES))
    supported = ""
    if name == "lanes" and box != LANES_BOX:
        supported = str(LANES_BOX)
    if name == "textbook" and box.n > MAX_DLX_SIDE:
        supported = f"boards of up to {MAX_DLX_SIDE}x{MAX_DLX_SIDE}"
    if supported:
        raise ValueError(f"engine {name!r} does not support box {box}; supported: {supported}")
    return spec


def make_engine(name: str, box: Box) -> Engine:
    """Return a new engine; parameters and errors are those of `resolve_engine`.

    The engine's module is imported here, because importing kernels is slow and a program uses only
    one or two engines.
    """
    name = resolve_engine(name, box).name
    if name == "lanes":
        from .lanes import LanesEngine

        return LanesEngine()
    if name in ("dlx", LEFTMOST):
        from .dlx import LEFTMOST_RULE, SMALLEST, DLXEngine

        return DLXEngine(box, LEFTMOST_RULE if name == LEFTMOST else SMALLEST)
    if name == "textbook":
        from .textbook import TextbookEngine

        return TextbookEngine(box)
    from .portfolio import PortfolioEngine

    return PortfolioEngine(box, ("sat",) if name == "sat" else ())


_engines = Pool(make_engine)


def run_engine(
    name: str | Rules, box: Box, boards: Boards, limit: int, result: EngineResult, stop: StopCheck
) -> None:
    """Solve boards with an engine that no other thread uses; see `Engine.solve`."""
    if not isinstance(name, str):
        name.engine(box).solve(boards, limit, result, stop)
        return
    engine = _engines.take(name, box)
    engine.solve(boards, limit, result, stop)
    _engines.put(engine, name, box)
