"""The flights of a day, read from text, and a schedule of a small airline."""

import re
from typing import NamedTuple

SCHEDULE = (
    "MUC0600-HAM0715,HAM0750-MUC0905,MUC0620-BER0725,BER0800-MUC0905,MUC0640-ZRH0735,"
    "ZRH0810-MUC0905,MUC0700-VIE0800,VIE0840-ZRH1000,ZRH1040-MUC1135,MUC0710-CDG0845,"
    "CDG0930-MUC1100,MUC0950-HAM1105,HAM1140-BER1230,BER1310-MUC1415,MUC0945-MXP1050,"
    "MXP1130-MUC1235,MUC1000-BER1105,BER1145-MUC1250,MUC1210-VIE1310,VIE1350-MUC1450,"
    "MUC1220-CDG1355,CDG1440-MUC1610,MUC1330-HAM1445,HAM1520-MUC1635,MUC1340-ZRH1435,"
    "ZRH1515-VIE1635,VIE1715-MUC1815,MUC1500-BER1605,BER1645-HAM1735,HAM1810-MUC1925,"
    "MUC1510-MXP1615,MXP1655-MUC1800,MUC1710-HAM1825,HAM1905-MUC2020,MUC1720-BER1825,"
    "BER1900-MUC2005,MUC1840-VIE1940,VIE2020-MUC2120,MUC1850-ZRH1945,ZRH2025-MUC2120"
)


class Flight(NamedTuple):
    leaves: int  # in minutes, as all times
    lands: int
    start: str
    goal: str
    name: str


def read_schedule(text: str) -> list[Flight]:
    """The flights, by the time when they leave. Raises ValueError where one makes no sense.

    >>> read_schedule("MUC0600-HAM0715")
    [Flight(leaves=360, lands=435, start='MUC', goal='HAM', name='MUC0600-HAM0715')]
    """
    found = []
    for name in text.split(","):
        match = re.fullmatch(r"([A-Z]+)(\d\d)([0-5]\d)-([A-Z]+)(\d\d)([0-5]\d)", name)
        if match is None:
            raise ValueError(f"a flight is written as MUC0600-HAM0715, not {name!r}")
        leaves, lands = (60 * int(match[k]) + int(match[k + 1]) for k in (2, 5))
        if lands <= leaves:
            raise ValueError(f"flight {name} lands before it leaves")
        found.append(Flight(leaves, lands, match[1], match[4], name))
    if len(set(found)) < len(found):
        raise ValueError("a flight is there twice")
    return sorted(found)


def clock(minutes: int) -> str:
    """The time of day.

    >>> clock(435)
    '07:15'
    """
    return f"{minutes // 60:02}:{minutes % 60:02}"
