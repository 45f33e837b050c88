"""Settlement: sheets become results in whists, exact in twelfths, rounded by a rule that has a name (rules §7).

Nothing here knows about deals: a sheet may come from them or have been recorded at the table.
"""
