"""Protocols of deals as people type them, a line a deal: CSV of any kind, XLSX, ODS.

Headings are those of the deals table, or Russian or English words such as ``Сдаёт``, ``Играет``, ``Контракт``,
``Вист Анна``, ``Взятки Анна``; the option `columns` names others.  Games stand there as ``6``, ``6♠``, ``7 БК``,
``мизер``, ``распасы`` or with their result as ``8/-1``, calls as words, letters or signs, players by name or by seat.
Several pulkas are told by a column, or by empty lines, repeated headings, and lines such as
``Игроки: Анна, Борис, Вера``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from prefdata.errors import PrefdataError, TableError
from prefdata.readers import _cells
from prefdata.readers._deals import put_right
from prefdata.readers._layout import BLOCK, Layout, find_headings, heading_name, laid_out
from prefdata.readers._plain import has_plain_headings, read_plain
from prefdata.readers._records import PLACE, Format, Options, Records, refused_rows
from prefdata.readers._texts import TEXT_ENDINGS, WORKBOOK_ENDINGS, read_rows
from prefdata.vocabulary import LEVELS, SEATS, call_column, folded, player_column, tricks_column

__all__ = ["FORMAT", "pulkas_of", "records_of", "seated", "shown_cell", "with_about", "with_numbers"]

_WHOLE = {
    "deal": "a whole number",
    "players": "2, 3 or 4",
    "talon": "a whole number",
    "multiplier": "a whole number",
    "bullet_limit": "a whole number",
    "bullet_total": "a whole number",
    "outcome": "a whole number",
    **dict.fromkeys(map(tricks_column, SEATS), "a number of tricks"),
}
_OF_PULKA = ("players", "bullet_limit", "bullet_total", "convention", "played_on", "place", "stake")
_NAMES = tuple(map(player_column, SEATS))
_SEATED = ("dealer", "declarer")
_DASHES = ("-", "–", "—", "−")


def _is_recognised(file: Path) -> bool:
    try:
        return has_plain_headings(file) or find_headings(read_rows(file, first=True), Options()) is not None
    except PrefdataError:
        return False


def _read(file: Path, options: Options) -> Records:
    """Read a protocol."""
    return read_plain(file, options) or records_of(laid_out(read_rows(file), file, options), file, options)


def records_of(layout: Layout, file: Path, options: Options) -> Records:
    """Understand the cells of a protocol."""
    for column in _SEATED:
        if column not in layout.grid.columns:
            hint = f"Say which heading it is: columns={{HEADING: {column!r}}}."
            raise TableError(f"{file} has no column for {column}", hint=hint)
    texts = with_about(layout, options)
    texts = with_numbers(texts)
    values, wrong = _read_cells(texts, layout)
    pulkas = pulkas_of(values, file)
    values, strangers = seated(values, texts, pulkas, layout)
    values = _with_results(_without_dashes(values, texts))
    refused = pl.concat([*wrong, *strangers, *_disagreeing(values, texts, layout)])
    deals = values.join(pulkas.select("pulka", table="players"), on="pulka", how="left", maintain_order="left")
    deals = (
        deals.with_columns(players=pl.coalesce("players", "table"))
        if "players" in deals.columns
        else (deals.with_columns(players="table"))
    )
    drop = {*_OF_PULKA, *_NAMES, "table", BLOCK, "result", "outcome", *map(heading_name, _NAMES)} - {"players"}
    righted = put_right(deals.drop(drop, strict=False), strict=options.strict)
    return Records(
        pulkas=pulkas,
        deals=righted.deals,
        notes=righted.notes.filter(~pl.col("row").is_in(refused["row"].implode())),
        refused=refused,
        rows=layout.grid.height,
        ignored=layout.ignored,
    )


def with_about(layout: Layout, options: Options) -> pl.DataFrame:
    """Put beside every deal what its lines and the options say of its pulka."""
    grid = layout.grid
    if layout.about.height:
        told = [name for name in layout.about.columns if layout.about[name].null_count() < layout.about.height]
        above = layout.about.select(BLOCK, *(pl.col(name).alias(f"{name} above") for name in told if name != BLOCK))
        grid = grid.join(above, on=BLOCK, how="left", maintain_order="left")
        grid = grid.with_columns(
            pl.coalesce([one for one in (name, f"{name} above") if one in grid.columns]).alias(name)
            for name in told
            if name != BLOCK
        ).drop(f"{name} above" for name in told if name != BLOCK)
    for name in _NAMES:
        if heading_name(name) in grid.columns:
            both = [one for one in (name, heading_name(name)) if one in grid.columns]
            grid = grid.with_columns(pl.coalesce(both).alias(name))
    known = dict(zip(_NAMES, options.players or (), strict=False)) | {
        "bullet_limit": options.bullet_limit,
        "convention": options.convention,
    }
    for name, value in known.items():
        given = pl.lit(None if value is None else str(value), dtype=pl.String)
        if value is not None and (name != "bullet_limit" or "bullet_total" not in grid.columns):
            grid = grid.with_columns(pl.coalesce(name, given) if name in grid.columns else given.alias(name))
    return grid


def with_numbers(texts: pl.DataFrame) -> pl.DataFrame:
    """Give every row the key of its pulka and the number of its deal."""
    restart: pl.Expr | pl.Series = pl.lit(False)
    if "deal" in texts.columns:
        deal = _cells.different(texts["deal"], _cells.as_whole)
        restart = (deal <= deal.shift(1)).fill_null(False)
    if "pulka" in texts.columns:
        keys = texts["pulka"].fill_null(strategy="forward")
        numbers = keys.cast(pl.Int64, strict=False)
        if numbers.null_count():
            numbers = keys.fill_null("").rank("dense").cast(pl.Int64)
        texts = texts.with_columns(pulka=numbers)
    else:
        begins = (pl.col(BLOCK) != pl.col(BLOCK).shift(1)).fill_null(False) | restart
        texts = texts.with_columns(pulka=begins.cast(pl.Int64).cum_sum() + 1)
    if "deal" not in texts.columns:
        texts = texts.with_columns(deal=pl.int_range(1, pl.len() + 1).over("pulka").cast(pl.String))
    return texts


def shown_cell(layout: Layout, name: str) -> pl.Expr:
    """Show what stands in a cell, under its heading in the file."""
    return pl.concat_str(pl.lit(f"{layout.headings.get(name, name)}="), pl.col(name).cast(pl.String))


def _read_cells(texts: pl.DataFrame, layout: Layout) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """Read all cells but those that name players; gives the values, and the rows with cells that are not understood."""
    readers = {name: (_cells.as_whole, f"must be {what}") for name, what in _WHOLE.items()}
    readers |= {call_column(seat): (_cells.call, "must be a call: pass, whist or half") for seat in SEATS}
    readers |= {
        "trump": (_cells.trump, "must be a suit or no trump"),
        "conceded": (_cells.as_flag, "must be yes or no"),
    }
    readers |= {"played_on": (_cells.as_day, "must be a day, such as 2024-05-17")}
    readers |= {"stake": (_cells.as_amount, "must be a number")}
    values, wrong = texts, []
    for name, (read, must) in readers.items():
        if name in texts.columns:
            column = _cells.different(texts[name], read)
            values = values.with_columns(column.alias(name))
            unread = column.is_null() & texts[name].is_not_null() & ~texts[name].is_in(pl.Series(_DASHES).implode())
            wrong.append(refused_rows(texts.filter(unread), name, shown_cell(layout, name), f"{name} {must}"))
    for name in ("contract", "result"):
        if name in texts.columns:
            values, unread = _game(values, texts[name], name)
            must = "a game such as 6, 7♠, misere, raspasy, or with its result as 8/-1"
            wrong.append(refused_rows(texts.filter(unread), name, shown_cell(layout, name), f"{name} must be {must}"))
    return values, wrong


def _game(values: pl.DataFrame, texts: pl.Series, name: str) -> tuple[pl.DataFrame, pl.Series]:
    """Read the column of games, or that of results; gives the values, and which rows are not understood."""
    words = texts.unique().drop_nulls()
    read = _cells.contract(words).with_columns(text=words, given_up=_cells.is_concession(words))
    told = texts.to_frame("text").join(read, on="text", how="left", maintain_order="left")
    is_dash = texts.is_in(pl.Series(_DASHES).implode())
    unread = texts.is_not_null() & told["contract"].is_null() & ~told["given_up"].fill_null(False) & ~is_dash
    added = {"contract": told["contract"], "difference": told["difference"], "list": told["tricks"]}
    for column, series in added.items():
        old = values[column] if column in values.columns and (column, name) != ("contract", "contract") else None
        values = values.with_columns((series if old is None else old.zip_with(old.is_not_null(), series)).alias(column))
    for column, series in (("trump", told["trump"]), ("conceded", told["given_up"])):
        if series.any() if column == "conceded" else series.null_count() < len(series):
            old = (
                values[column]
                if column in values.columns
                else pl.Series([None], dtype=series.dtype).new_from_index(0, len(series))
            )
            values = values.with_columns(old.zip_with(old.is_not_null(), series).alias(column))
    return values, unread


def pulkas_of(values: pl.DataFrame, file: Path) -> pl.DataFrame:
    """Make the pulkas table of what stands beside the deals."""
    for column, option in (("bullet_limit", "bullet_limit=20"), ("convention", 'convention="sochi"')):
        others = {"bullet_total"} if column == "bullet_limit" else set()
        if not {column, *others} & set(values.columns):
            what = "limit" if column == "bullet_limit" else column
            raise TableError(f"{file} does not tell the {what}", hint=f"Give it: {option}.")
    columns = [name for name in (*_OF_PULKA, *_NAMES) if name in values.columns]
    seats = [
        pl.when(pl.any_horizontal(pl.col(name).is_not_null() for name in _columns_of(seat, values))).then(number)
        for number, seat in enumerate(SEATS, start=1)
        if _columns_of(seat, values)
    ]
    most = pl.max_horizontal(pl.lit(2), *seats)
    pulkas = values.group_by("pulka", maintain_order=True).agg(
        pl.col(columns).drop_nulls().first(), pl.col(PLACE).first(), most=most.max()
    )
    players = pl.coalesce("players", "most") if "players" in columns else pl.col("most")
    return pulkas.with_columns(players=players.cast(pl.Int64)).drop("most").sort("pulka")


def _columns_of(seat: str, values: pl.DataFrame) -> list[str]:
    named = (call_column(seat), tricks_column(seat), player_column(seat))
    return [name for name in named if name in values.columns]


def seated(
    values: pl.DataFrame, texts: pl.DataFrame, pulkas: pl.DataFrame, layout: Layout, columns: Sequence[str] = _SEATED
) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """Read who dealt and who declared: names of players first, then seats."""
    names = [name for name in _NAMES if name in pulkas.columns]
    own = texts.select("pulka", *columns)
    if names:
        own = own.join(pulkas.select("pulka", *names), on="pulka", how="left", maintain_order="left")
    wrong = []
    for column in columns:
        seat = _cells.different(texts[column], _cells.as_seats)
        is_plain = texts[column].is_in(pl.Series(SEATS).implode())
        if names and not is_plain.all():
            same = [
                (pl.col(column) == pl.col(name))
                | ((folded(pl.col(column)) == folded(pl.col(name))) & (pl.col(column).str.len_chars() > 1))
                for name in names
            ]
            by_name = own.select(
                pl.coalesce(
                    *(pl.when(one).then(pl.lit(place)) for one, place in zip(same, SEATS, strict=False)),
                    pl.lit(None, dtype=pl.String),
                ).alias(column)
            ).to_series()
            seat = by_name.zip_with(by_name.is_not_null() & ~is_plain.fill_null(False), seat)
        values = values.with_columns(seat.alias(column))
        unread = seat.is_null() & texts[column].is_not_null() & ~texts[column].is_in(pl.Series(_DASHES).implode())
        known = f" or one of {', '.join(layout.players)}" if layout.players else " or the name of a player of its pulka"
        wrong.append(
            refused_rows(texts.filter(unread), column, shown_cell(layout, column), f"{column} must be a seat{known}")
        )
    return values, wrong


def _without_dashes(values: pl.DataFrame, texts: pl.DataFrame) -> pl.DataFrame:
    """Take a dash for no call where nobody calls: a declarer's, and in misère and raspasy."""
    cleared = []
    for seat in SEATS:
        name = call_column(seat)
        if name in values.columns:
            is_dash = texts[name].is_in(pl.Series(_DASHES).implode())
            calls = pl.col("contract").is_in([*LEVELS]) & (pl.col("declarer") != seat)
            cleared.append(pl.when(~is_dash | calls.fill_null(False)).then(name).alias(name))
    return values.with_columns(cleared)


def _with_results(values: pl.DataFrame) -> pl.DataFrame:
    """Fill in the tricks that a result tells: the declarer's, those of raspasy."""
    for seat in SEATS:
        for column, kind in ((call_column(seat), pl.String), (tricks_column(seat), pl.Int64)):
            if column not in values.columns:
                values = values.with_columns(pl.lit(None, dtype=kind).alias(column))
    if "difference" not in values.columns:
        return values
    promised = pl.col("contract").replace_strict(LEVELS, default=0, return_dtype=pl.Int64)
    whisted = pl.any_horizontal(pl.col(call_column(seat)) == "whist" for seat in SEATS).fill_null(False)
    is_misere = (pl.col("contract") == "misere").fill_null(False)
    taken = (
        pl.when(is_misere)
        .then(-pl.col("difference").cast(pl.Int64))
        .when(whisted)
        .then(promised + pl.col("difference"))
    )
    filled = []
    for number, seat in enumerate(SEATS):
        declares = (pl.col("declarer") == seat).fill_null(False)
        told = pl.coalesce(pl.when(declares).then(taken), pl.col("list").list.get(number, null_on_oob=True))
        filled.append(pl.coalesce(tricks_column(seat), told.cast(pl.Int64)).alias(tricks_column(seat)))
    return values.with_columns(filled).drop("list")


def _disagreeing(values: pl.DataFrame, texts: pl.DataFrame, layout: Layout) -> list[pl.DataFrame]:
    """List rows that contradict themselves or the others of their pulka."""
    wrong = []
    if "difference" in values.columns:
        promised = pl.col("contract").replace_strict(LEVELS, default=0, return_dtype=pl.Int64)
        own = pl.coalesce(pl.when(pl.col("declarer") == seat).then(tricks_column(seat)) for seat in SEATS).cast(
            pl.Int64
        )
        told = pl.when(pl.col("contract") == "misere").then(-own).otherwise(own - promised)
        contradicts = (told != pl.col("difference")).fill_null(False) & (pl.col("contract") != "raspasy")
        rows = values.filter(contradicts)
        wrong.append(
            refused_rows(
                rows,
                "result_agrees",
                pl.concat_str(pl.lit("result="), "difference"),
                "the result must be that of the declarer's tricks",
            )
        )
    for name in [name for name in _NAMES if heading_name(name) in values.columns]:
        rows = values.filter((folded(pl.col(name)) != folded(pl.col(heading_name(name)))).fill_null(False))
        why = "the headings have another player at this place: repeat them below the line, with these players in order"
        wrong.append(refused_rows(rows, "headings_agree", shown_cell(layout, name), why))
    for name in (*_OF_PULKA, *_NAMES):
        if name in values.columns:
            first = pl.col(name).drop_nulls().first().over("pulka")
            rows = (
                values.filter((pl.col(name) != first).fill_null(False))
                if values[name].n_unique() > 1
                else values.head(0)
            )
            wrong.append(
                refused_rows(
                    rows, "pulka_agrees", shown_cell(layout, name), f"{name} must be the same in all deals of a pulka"
                )
            )
    return wrong


FORMAT = Format(
    name="protocol",
    title="a protocol of deals",
    endings=(*TEXT_ENDINGS, *WORKBOOK_ENDINGS),
    is_recognised=_is_recognised,
    read=_read,
)
"""The format, as the list of formats has it."""
