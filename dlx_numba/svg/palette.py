"""The colours of all pictures, in light and in dark.

Texts and signs on paper have colours after Okabe and Ito; areas with letters on them those of Paul
Tol's scheme "light". Colour-blind people tell either apart.
"""

# Light ones, so that dark letters and outlines stand out from them, on white paper and on black.
COLOURS = (
    "#77aadd",  # light blue
    "#ee8866",  # orange
    "#eedd88",  # light yellow
    "#44bb99",  # mint
    "#ffaabb",  # pink
    "#99ddff",  # light cyan
    "#bbcc33",  # pear
    "#aaaa00",  # olive
    "#dddddd",  # pale grey
)

# `over` and `edge` are letters and outlines on `COLOURS`, which are the same in light and in dark.
STYLE = """
svg{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1b1b1b;\
text-anchor:middle}
.paper{fill:#fdfdfb}.soft{fill:#5b5b5b}.one{fill:#0072b2}.mark{fill:#e69f00}.band{fill:#dededa}
.rule{stroke:#1b1b1b;stroke-width:2}.thin{stroke:#b9b9b4}.on{fill:#fff}
.over{fill:#101214}.edge{stroke:#101214}.strong{font-weight:bold}.small{font-size:11px}
@media (prefers-color-scheme:dark){svg{fill:#ececea}.paper{fill:#161719}.soft{fill:#a9a9a5}
.one{fill:#56b4e9}.mark{fill:#f0b030}.band{fill:#323538}.rule{stroke:#ececea}.thin{stroke:#55565a}
.on{fill:#101214}}
"""
