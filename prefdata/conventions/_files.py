"""Conventions by name and in TOML files."""

from __future__ import annotations

import difflib
import json
import os.path
import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from prefdata.conventions._convention import PLAYED, Convention, switches
from prefdata.doors import as_list, as_path, told
from prefdata.errors import ConventionError, reason_of
from prefdata.files import new_file
from prefdata.vocabulary import RUSSIAN

__all__ = [
    "base_of",
    "convention",
    "in_toml",
    "is_played",
    "one_or_several",
    "preset",
    "presets",
    "resolve",
    "resolve_russian",
    "save_convention",
]

_BASE = "base"
_LONGEST_CHAIN = 20
_LARGEST_FILE = 1 << 20
_MEANT_BASE = ("convention", "extends", "inherits", "parent", "preset")  # what others call it


def presets() -> list[str]:
    """List the conventions that come with prefdata.

    >>> "rostov" in presets()
    True
    """
    folder = resources.files("prefdata.conventions")
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def convention(name_or_path: str | Path | Convention) -> Convention:
    """Give a convention by its name or from a TOML file.

    A file lists switches, perhaps a `name` and a `title`.  With ``base = "leningrad"``, or with ``base = "club.toml"``
    beside it, it extends that convention; switches that neither lists keep the default.

    Parameters
    ----------
    name_or_path
        Name of a preset, path of a TOML file (it ends in ``.toml``), or a convention, which is given back.

    Raises
    ------
    ConventionError
        If there is no such preset or file; or the file holds an unknown, impossible or contradictory switch, or takes
        a preset's name for other switches.

    Examples
    --------
    >>> convention("leningrad").whist_factor
    2
    """
    return _load(name_or_path)


resolve = convention
"""`convention`, by the name that it has where a parameter is called so."""


def is_played(convention: object) -> bool:
    """Tell whether the convention in each pulka's own row is meant.

    >>> is_played("played"), is_played("sochi")
    (True, False)
    """
    return isinstance(convention, str) and convention == PLAYED


def one_or_several(
    conventions: str | Path | Convention | Iterable[str | Path | Convention],
) -> list[str | Path | Convention]:
    """Give a list of conventions, names or files, where one may stand for several.

    Raises
    ------
    ConventionError
        If it is none of these.

    Examples
    --------
    >>> one_or_several("sochi")
    ['sochi']
    """
    if isinstance(conventions, Convention):
        return [conventions]
    try:
        return as_list(conventions, "conventions", "conventions")
    except TypeError as error:
        raise ConventionError(str(error), hint="Give a list of names, of TOML files, or of conventions.") from None


def preset(name: str) -> Convention:
    """Give a preset by the name that stands in a row of a table; such a name is never a path.

    Raises
    ------
    ConventionError
        If no preset is named so.

    Examples
    --------
    >>> preset("rostov").lone_whist
    'gentleman'
    """
    return _parse(_preset_text(name, None), name, f"{name}.toml", Path(), ())


def resolve_russian(name_or_path: str | Path | Convention) -> Convention:
    """Give a convention of the Russian game; see `convention`.

    Raises
    ------
    ConventionError
        If it is of another game, too.
    """
    chosen = resolve(name_or_path)
    if chosen.game != RUSSIAN:
        raise ConventionError(
            f"{chosen.name} is a convention of the {chosen.game.capitalize()} game, and this is about the "
            f"{RUSSIAN.capitalize()} one",
            hint="Choose one of its conventions; pref.presets() lists them.",
        )
    return chosen


def base_of(preset: str) -> str | None:
    """Tell which preset another one extends, if any.

    Raises
    ------
    ConventionError
        If there is no such preset.

    Examples
    --------
    >>> base_of("leningrad-federation")
    'leningrad'
    """
    base: str | None = tomllib.loads(_preset_text(preset)).get(_BASE)
    return base


def _load(
    name_or_path: str | Path | Convention, extended_by: tuple[Path, ...] = (), folder: Path = Path()
) -> Convention:
    """Give a convention, or a file's of that folder; those which extend it are told, so that none extends itself."""
    if isinstance(name_or_path, Convention):
        return name_or_path
    if not isinstance(name_or_path, str | Path):
        raise ConventionError(
            f"{told(name_or_path)} is no convention",
            hint='Give the name of a preset, such as "sochi", the path of a TOML file, or a prefdata.Convention.',
        )
    path = folder / name_or_path
    if path.suffix == ".toml":
        if len(extended_by) > _LONGEST_CHAIN:
            raise ConventionError(
                f"base {str(name_or_path)!r} is one of more than {_LONGEST_CHAIN} that extend each other",
                hint="Let the base be a convention that stands by itself.",
            )
        text = _text_of(path, _several(str(name_or_path)))
        found = _parse(text, path.stem, str(path), path.parent, (*extended_by, path.resolve()))
        _refuse_borrowed_name(found, str(path))
        return found
    name = str(name_or_path)
    return _parse(_preset_text(name, folder), name, f"{name}.toml", Path(), extended_by)


def _text_of(path: Path, hint: str) -> str:
    """Read a convention's file."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise ValueError("it is no regular file")
        if path.stat().st_size > _LARGEST_FILE:
            raise ValueError(f"it is larger than {_LARGEST_FILE} bytes, as no convention is")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else reason
        raise ConventionError(
            f"convention file {path} cannot be read: {reason}",
            hint=hint or "Give the path of a TOML file, or one of the presets: " + ", ".join(presets()) + ".",
        ) from None


def _preset_text(name: str, folder: Path | None = Path()) -> str:
    """Read a preset's file; refuse a name that is none, but tell if a file in the folder has it."""
    if name == PLAYED:
        raise ConventionError(
            f"{PLAYED!r} stands for each pulka's own convention, which differs from pulka to pulka",
            hint="Name one convention here: " + ", ".join(presets()) + ".",
        )
    if name not in presets():
        raise ConventionError(f"unknown convention {name!r}", hint=_several(name) or _what_there_is(name, folder))
    return (resources.files("prefdata.conventions") / f"{name}.toml").read_text(encoding="utf-8")


def _several(name: str) -> str:
    """Give the hint for names that were joined by commas, if these are."""
    parts = [part.strip() for part in name.split(",")]
    if len(parts) == 1 or not any(part in presets() or part.endswith(".toml") for part in parts):
        return ""
    return "Give each convention by itself; several make a list."


def _what_there_is(name: str, folder: Path | None) -> str:
    """Give the hint for an unknown name: the nearest one, and all presets."""
    if folder is not None and os.path.isfile(folder / f"{name}.toml"):
        near = [f"{name}.toml"]
    else:
        near = difflib.get_close_matches(name.lower(), presets(), n=1)
    known = "The presets are " + ", ".join(presets()) + "; a file of your own ends in .toml."
    return f"Did you mean {near[0]}? {known}" if near else known


def save_convention(convention: str | Path | Convention, path: str | Path) -> None:
    """Write a convention with all switches of its game to a new TOML file.

    Parameters
    ----------
    convention
        A convention, or its name or file.
    path
        The file, whose name ends in ``.toml``.

    Raises
    ------
    ConventionError
        If the file could not be read as this convention, or not be written.
    TargetExistsError
        If there is a file already.
    """
    saved, target = resolve(convention), as_path(path, "path")
    if target.suffix != ".toml":
        raise ConventionError(f"{path} does not end in .toml", hint="Conventions are read from such files: name it so.")
    _refuse_borrowed_name(saved, str(path))
    values = saved.to_dict()
    lines = [f"{key} = {in_toml(values[key])}" for key in ("name", "title", *saved.own_switches())]
    with new_file(target, error=ConventionError) as beside:
        beside.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _refuse_borrowed_name(found: Convention, where: str) -> None:
    """Refuse a file whose results would be labelled with a preset that they are not scored under."""
    differing = found.diff(resolve(found.name)) if found.name in presets() else {}
    if differing:
        raise ConventionError(
            f"{where}: it is named {found.name!r}, as a preset is, but differs from it in {', '.join(differing)}",
            hint='Name it otherwise: a TOML file is named as the file, or by a line name = "..." in it.',
        )


def _parse(text: str, name: str, where: str, folder: Path, extended_by: tuple[Path, ...]) -> Convention:
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise ConventionError(f"{where} is not valid TOML: {reason}", hint="Mend the line it names.") from None
    try:
        inherited = _base(values.pop(_BASE), folder, extended_by) if _BASE in values else {}
        _refuse_misnamed_base(values, name)
        return Convention.from_dict({**inherited, "name": name, **values})
    except ConventionError as error:
        raise ConventionError(f"{where}: {error.what}", hint=error.hint) from None


def _refuse_misnamed_base(values: Mapping[str, Any], name: str) -> None:
    """Refuse a key which means the base by another name."""
    known = ["name", "title", *switches()]
    for key in values:
        near = difflib.get_close_matches(key.lower(), [_BASE, *known], n=1)
        if key in _MEANT_BASE or (key not in known and near == [_BASE]):
            told = values.get("name", name)
            raise ConventionError(f"convention {told!r}: unknown switch {key}", hint=f"Did you mean {_BASE}?")


def _base(base: Any, folder: Path, extended_by: tuple[Path, ...]) -> dict[str, Any]:
    """Give the switches that a file extends."""
    if not isinstance(base, str):
        raise ConventionError(f"base is {base!r}, not a text", hint="Name a preset or a TOML file.")
    if not base.isprintable():
        raise ConventionError(f"base {base!r} is no name of a file", hint="Name a preset or a TOML file.")
    if base.endswith(".toml") and (folder / base).resolve() in extended_by:
        raise ConventionError(f"base {base!r} comes back to this file", hint="Let the base be another convention.")
    inherited = _load(base, extended_by, folder).to_dict()
    del inherited["name"], inherited["title"]
    return inherited


def in_toml(value: Any) -> str:
    """Write plain data as TOML has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {in_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(in_toml, value)) + "]"
    if isinstance(value, str):
        # TOML's basic strings know the escapes of JSON's, and want one more to be written so.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
