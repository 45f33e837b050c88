from __future__ import annotations

from prefdata import analysis as analysis
from prefdata import charts as charts
from prefdata import drawing as drawing
from prefdata.analysis import attribute as attribute
from prefdata.analysis import compare as compare
from prefdata.analysis import infer as infer
from prefdata.analysis import invariance as invariance
from prefdata.archives import Archive as Archive
from prefdata.archives import append as append
from prefdata.archives import archive as archive
from prefdata.archives import concat as concat
from prefdata.archives import open_archive as open_archive
from prefdata.archives import write_archive as write_archive
from prefdata.conventions import Convention as Convention
from prefdata.conventions import convention as convention
from prefdata.conventions import presets as presets
from prefdata.conventions import save_convention as save_convention
from prefdata.conventions import switches as switches
from prefdata.corrections import adjustment_effects as adjustment_effects
from prefdata.corrections import correct_over_writing as correct_over_writing
from prefdata.corrections import fourth_player_joins as fourth_player_joins
from prefdata.corrections import with_adjustments as with_adjustments
from prefdata.drawing import sheet as sheet
from prefdata.errors import PrefdataError as PrefdataError
from prefdata.errors import SetAsideWarning as SetAsideWarning
from prefdata.explain import audit as audit
from prefdata.failures import Failures as Failures
from prefdata.readers import import_file as import_file
from prefdata.rescoring import export as export
from prefdata.rescoring import freeze as freeze
from prefdata.rescoring import rescore as rescore
from prefdata.russian.codes import decode as decode
from prefdata.russian.codes import encode as encode
from prefdata.russian.entries import bullet as bullet
from prefdata.russian.entries import mountain as mountain
from prefdata.russian.entries import whists as whists
from prefdata.russian.notation import notation as notation
from prefdata.russian.notation import read_notation as read_notation
from prefdata.russian.raspasy import raspasy_step as raspasy_step
from prefdata.scoring.entries import entries as entries
from prefdata.scoring.ledger import ledger as ledger
from prefdata.scoring.ledger import unapplied_adjustments as unapplied_adjustments
from prefdata.scoring.sheets import sheets as sheets
from prefdata.scoring.values import values as values
from prefdata.settlement.by_hand import settlement_steps as settlement_steps
from prefdata.settlement.settling import settle as settle
from prefdata.settlement.sheet_rules import check_sheets as check_sheets
from prefdata.simulate import sample as sample

__all__ = [
    "Archive",
    "Convention",
    "Failures",
    "PrefdataError",
    "SetAsideWarning",
    "adjustment_effects",
    "append",
    "archive",
    "attribute",
    "audit",
    "bullet",
    "check_sheets",
    "compare",
    "concat",
    "convention",
    "correct_over_writing",
    "decode",
    "encode",
    "entries",
    "export",
    "fourth_player_joins",
    "freeze",
    "import_file",
    "infer",
    "invariance",
    "ledger",
    "mountain",
    "notation",
    "open_archive",
    "presets",
    "raspasy_step",
    "read_notation",
    "rescore",
    "sample",
    "save_convention",
    "settle",
    "settlement_steps",
    "sheet",
    "sheets",
    "switches",
    "unapplied_adjustments",
    "values",
    "whists",
    "with_adjustments",
    "write_archive",
]
__version__: str
