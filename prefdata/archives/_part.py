"""A part of an archive: the unit of work, exactly the pulkas and deals that belong together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import polars as pl

from prefdata.archives._frames import TableFrame
from prefdata.archives._manifest import Seal
from prefdata.files import content_hash
from prefdata.game import Game
from prefdata.games import game_of_columns
from prefdata.tables import PULKAS

__all__ = ["Part"]


@dataclass(frozen=True)
class Part:
    """One part: about a million deals with their pulkas, on disk or in memory.

    Attributes
    ----------
    name
        File name of the part, such as ``part-00000.parquet``.
    game
        The game that its deals are of.
    pulkas, deals, adjustments
        The tables, as they came.
    seal
        What the file of the deals was when prefdata wrote outcome codes into it, if it did.
    files
        The files that the tables are in; none of a part in memory.
    """

    name: str
    game: Game
    pulkas: TableFrame
    deals: TableFrame
    adjustments: TableFrame | None = None
    seal: Seal | None = None
    files: tuple[Path, ...] = ()

    @cached_property
    def has_codes(self) -> bool:
        """Whether the deals hold outcome codes that can be trusted: the file's content is hashed when this is asked."""
        try:
            return self.seal is not None and self.hash_of(self.seal.file) == self.seal.sha256
        except OSError:  # whoever reads it next tells why it cannot be read
            return False

    @cached_property
    def _hashes(self) -> dict[Path, str]:
        return {}

    def hash_of(self, file: Path) -> str:
        """Hash what one of the files holds, once."""
        if file not in self._hashes:
            self._hashes[file] = content_hash(file)
        return self._hashes[file]

    def only(self, pulkas: pl.Series) -> Part:
        """Keep some pulkas, by key."""

        def keep(table: TableFrame) -> TableFrame:
            chosen = table.raw.filter(pl.col("pulka").is_in(pulkas.implode()))
            return TableFrame(chosen, table.table, table.where)

        return replace(
            self,
            pulkas=keep(self.pulkas),
            deals=keep(self.deals),
            adjustments=keep(self.adjustments) if self.adjustments else None,
        )

    def without(self, pulkas: pl.Series) -> Part:
        """Set pulkas aside and keep the rest in memory, sorted, with every row in a table's types.

        Stored codes count no longer: the readable columns are the truth.
        """

        def keep(table: TableFrame, key: list[str]) -> TableFrame:
            rest = table.typed().filter(~pl.col("pulka").is_in(pulkas.implode()) & pl.col("pulka").is_not_null())
            frame = table.read(rest).sort(key, maintain_order=True)
            return TableFrame(frame.lazy(), table.table, table.where)

        return replace(
            self,
            pulkas=keep(self.pulkas, ["pulka"]),
            deals=keep(self.deals, ["pulka", "deal"]),
            adjustments=keep(self.adjustments, ["pulka", "deal"]) if self.adjustments else None,
            seal=None,
        )

    @classmethod
    def from_frames(
        cls,
        name: str,
        pulkas: pl.LazyFrame,
        deals: pl.LazyFrame,
        adjustments: pl.LazyFrame | None = None,
        *,
        where: tuple[str, str, str] = ("pulkas", "deals", "adjustments"),
        seal: Seal | None = None,
        files: Iterable[Path] = (),
    ) -> Part:
        """Make a part from lazy frames; `where` names them in messages.

        Raises
        ------
        TableError
            If a column is missing, or of an impossible type.
        """
        game = game_of_columns(deals.collect_schema())
        table_of_pulkas, table_of_deals = TableFrame(pulkas, PULKAS, where[0]), TableFrame(deals, game.deals, where[1])
        table_of_deals.refuse_lacking(table_of_pulkas)
        return cls(
            name,
            game,
            table_of_pulkas,
            table_of_deals,
            TableFrame(adjustments, game.adjustments, where[2]) if adjustments is not None else None,
            seal if game.encode is not None and "outcome" in deals.collect_schema() else None,
            tuple(files),
        )
