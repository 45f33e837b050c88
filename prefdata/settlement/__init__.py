"""Settlement: sheets become results in whists, exact in twelfths, rounded by a rule that has a name (rules §7).

Nothing here knows about deals: a sheet may come from them or have been recorded at the table.
"""

from __future__ import annotations

from prefdata.settlement.by_hand import settlement_steps
from prefdata.settlement.rounding import ROUNDING_RULES
from prefdata.settlement.settling import SETTLEMENT_SCHEMA, settle
from prefdata.settlement.sheet_rules import check_sheets

__all__ = ["ROUNDING_RULES", "SETTLEMENT_SCHEMA", "check_sheets", "settle", "settlement_steps"]
