"""The settlement of one pulka (rules §7) as formulas of a spreadsheet, in twelfths of a whist.

Each seat has a row of cells, which have names.  In a formula ``[share]`` stands for the cell of the same row,
``[share:]`` for those of all seats, ``[share:before]`` for those of the seats before.  Numbers of the convention stand
in cells of their own: ``{bullet_worth}`` and ``{mountain_worth}``, in twelfths from and to each opponent, ``{limit}``
and ``{whists}``, those that compensate for a moved point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prefdata.conventions import Convention
from prefdata.settlement.rounding import compensation
from prefdata.vocabulary import TWELFTHS

__all__ = ["ENTRIES", "FORMULAS", "rounding_formulas", "worked_out"]

ENTRIES = ("bullet", "mountain", "written", "suffered")
"""Cells of a seat that come from the columns: points, whists of its own, and whists of others on it."""

FORMULAS: dict[str, str] = {
    "from_bullet": "({players}*[bullet]-SUM([bullet:]))*{bullet_worth}/12",
    "from_mountain": "(SUM([mountain:])-{players}*[mountain])*{mountain_worth}/12",
    "from_whists": "[written]-[suffered]",
    "twelfths": "({players}*[bullet]-SUM([bullet:]))*{bullet_worth}"
    "+(SUM([mountain:])-{players}*[mountain])*{mountain_worth}+12*([written]-[suffered])",
    "result": "[twelfths]/12",
    "carried": "[mountain]*{mountain_worth}+({limit}-[bullet])*{bullet_worth}",
    "share": "[carried]-MIN([carried:])",
    "rank": '1+COUNTIF([twelfths:],">"&[twelfths])',
}
"""What every seat has, whatever the rule of rounding: parts and whole of the result, and its share of the mountains."""

_ALL_WHOLE = "SUMPRODUCT(--(MOD({cells},12)<>0))=0"
_BY_SHARES = "SUM([moved:])-{players}*[moved]+12*([written]-[suffered])"

_BY_TOTALS = {
    "exact": "[twelfths]",
    "total-half-up": "12*INT(([twelfths]+6)/12)",
    "total-half-even": "12*(INT([twelfths]/12)+IF(OR(MOD([twelfths],12)>6,"
    "AND(MOD([twelfths],12)=6,MOD(INT([twelfths]/12),2)<>0)),1,0))",
    "total-truncate": "12*TRUNC([twelfths]/12)",
}


def rounding_formulas(convention: Convention, players: int) -> dict[str, str]:
    """Write the rule of rounding: `settled`, the rounded result in twelfths, `rounded` in whists, and what leads there.

    Parameters
    ----------
    convention
        Its `rounding` names the rule, its `code_owner` whose mountain is moved.
    players
        Number of players.
    """
    rule = convention.rounding
    if rule in _BY_TOTALS:
        found = {"settled": _BY_TOTALS[rule]}
    elif rule in ("nearest", "truncate"):
        half = "+6" if rule == "nearest" else ""
        found = {"moved": f"12*INT(([share]{half})/12)", "settled": _BY_SHARES}
    elif rule == "code-every-mountain":
        found = _every_mountain()
    else:
        found = _one_mountain(convention, players)
    if rule == "exact":
        return found
    whole = _ALL_WHOLE.format(cells="[settled:]")
    return {**found, "rounded": f'IF({whole},[settled]/12,"")'}


def _every_mountain() -> dict[str, str]:
    """Move each mountain whose share is not whole by a point, down if that helps, else up."""
    return {
        "point": "IF(MOD([share],12)=0,0,"
        "IF(MOD([share]-{mountain_worth},12)=0,-1,IF(MOD([share]+{mountain_worth},12)=0,1,0)))",
        "moved": "[share]+[point]*{mountain_worth}",
        "settled": f"{_BY_SHARES}+12*{{whists}}*([point]*{{players}}-SUM([point:]))",
    }


def _one_mountain(convention: Convention, players: int) -> dict[str, str]:
    """Move one mountain by a point where totals are not whole (Code 4.2.12)."""
    if convention.code_owner in ("largest", "smallest"):
        chosen = "MAX" if convention.code_owner == "largest" else "MIN"
        found = {
            "uneven": 'IF(MOD([share],12)<>0,[share],"")',
            "is_owner": f"IF(AND(COUNT([uneven:])>0,[uneven]={chosen}([uneven:]),"
            f"COUNTIF([uneven:before],{chosen}([uneven:]))=0),1,0)",
        }
    else:
        found = {"is_owner": f'IF([seat]="{convention.code_owner}",1,0)'}
    shift = "({mountain_worth}-12*{whists})"
    found |= {
        "down": f"[twelfths]+IF([is_owner]=1,({{players}}-1)*{shift},-{shift})",
        "up": f"[twelfths]+IF([is_owner]=1,-({{players}}-1)*{shift},{shift})",
    }
    downs, ups, exact = (_ALL_WHOLE.format(cells=f"[{name}:]") for name in ("down", "up", "twelfths"))
    step = f"IF({downs},-1,IF({ups},1,0))"
    if convention.code_direction == "nearest" and players == 4:
        step = f"IF(AND(MOD(SUM([share:]),4*{{mountain_worth}})>2*{{mountain_worth}},{ups}),1,{step})"
    return {
        **found,
        "point": f"IF(OR({exact},SUM([is_owner:])=0),0,{step})",
        "settled": "IF([point]=0,[twelfths],IF([point]<0,[down],[up]))",
    }


def worked_out(convention: Convention, seats: Sequence[str], wide: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Tell what the formulas come to, for programs that show a workbook without calculating it.

    Parameters
    ----------
    convention
        The convention.
    seats
        The seats of the table.
    wide
        The pulka's row of a wide settlement, see `prefdata.settlement.settling.wide_settlement`.

    Returns
    -------
    dict
        For each seat what its cells hold, by their names.
    """
    point = int(convention.mountain_share(len(seats)) * TWELFTHS)
    cells = {seat: _of_seat(seat, wide, convention.rounding, point) for seat in seats}
    moved = [own["moved"] for own in cells.values()]
    steps = [own["point"] for own in cells.values()]
    whists = TWELFTHS * compensation(len(seats), convention)
    for seat, own in cells.items():
        if convention.rounding in ("nearest", "truncate", "code-every-mountain"):
            own["settled"] = sum(moved) - len(seats) * own["moved"] + wide[f"balance_{seat}"]
        if convention.rounding == "code-every-mountain":
            own["settled"] += whists * (own["point"] * len(seats) - sum(steps))
    return cells


def _of_seat(seat: str, wide: Mapping[str, Any], rule: str, point: int) -> dict[str, Any]:
    share, rounded = wide[f"share_{seat}"], wide[f"rounded_{seat}"]
    exact = wide[f"result_{seat}"]
    step = wide["point"] if rule == "code" else wide[f"adjusted_{seat}"]
    by_step = {-1: wide.get(f"down_{seat}", exact), 0: exact, 1: wide.get(f"up_{seat}", exact)}
    moved = {
        "nearest": (share + TWELFTHS // 2) // TWELFTHS * TWELFTHS,
        "truncate": share // TWELFTHS * TWELFTHS,
    }
    return {
        "twelfths": exact,
        "result": exact / TWELFTHS,
        **{name: wide[f"{name}_{seat}"] / TWELFTHS for name in ("from_bullet", "from_mountain")},
        "from_whists": wide[f"balance_{seat}"] / TWELFTHS,
        "carried": wide[f"carried_{seat}"],
        "share": share,
        "rank": wide[f"rank_{seat}"],
        "rounded": "" if rounded is None else rounded,
        "settled": by_step[step] if rule == "code" or rounded is None else rounded * TWELFTHS,
        "point": step,
        "moved": moved.get(rule, share + step * point),
        "uneven": share if share % TWELFTHS else "",
        "is_owner": int(wide.get(f"owner_{seat}", False)),
        "down": by_step[-1],
        "up": by_step[1],
    }
