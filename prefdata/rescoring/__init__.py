"""Batch rescoring: the parts of an archive, under several conventions, into a folder of Parquet files."""

from __future__ import annotations

from prefdata.rescoring._exporting import export
from prefdata.rescoring._freezing import freeze
from prefdata.rescoring._run import Rescoring, rescore
from prefdata.rescoring._target import MANIFEST, is_unfinished, unfinished_folder

__all__ = ["MANIFEST", "Rescoring", "export", "freeze", "is_unfinished", "rescore", "unfinished_folder"]
