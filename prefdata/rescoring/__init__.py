"""Batch rescoring: the parts of an archive, under several conventions, into a folder of Parquet files."""

from __future__ import annotations

from prefdata.rescoring._run import MANIFEST, Rescoring, rescore

__all__ = ["MANIFEST", "Rescoring", "rescore"]
