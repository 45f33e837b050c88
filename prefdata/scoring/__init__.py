"""Scoring: from the deals of an archive to entries, ledgers, sheets and values."""
