"""The report of a run: a table of kinds and judgements in README.md, and the first cases of each bad judgement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.hostile.case import KINDS
from tests.hostile.judging import BAD, Judgement, Verdict

__all__ = ["counts_table", "write_report"]

_HEADING = "## The last whole run"
_SHOWN = 5


def counts_table(verdicts: Sequence[Verdict]) -> str:
    """Count verdicts by kind and judgement, as a table in Markdown."""
    counts = Counter((verdict.kind, verdict.judgement) for verdict in verdicts)
    lines = [
        "| kind | " + " | ".join(Judgement) + " | seconds a case |",
        "|---|" + "---:|" * (len(Judgement) + 1),
    ]
    for kind in [*(kind for kind in KINDS if any(verdict.kind == kind for verdict in verdicts)), "all"]:
        chosen = [verdict for verdict in verdicts if kind in ("all", verdict.kind)]
        numbers = [
            sum(count for (of_kind, of), count in counts.items() if of == judgement and kind in ("all", of_kind))
            for judgement in Judgement
        ]
        mean = sum(verdict.seconds for verdict in chosen) / max(1, len(chosen))
        lines.append(f"| {kind} | " + " | ".join(map(str, numbers)) + f" | {mean:.2f} |")
    return "\n".join(lines)


def write_report(file: Path, verdicts: Sequence[Verdict], command: str) -> None:
    """Put the counts of a run, and its first bad cases, into a page, after what the page says by itself."""
    page = file.read_text(encoding="utf-8").partition(_HEADING)[0] if file.exists() else "# Hostile cases\n\n"
    lines = [_HEADING, "", f"    {command}", "", counts_table(verdicts), ""]
    for judgement in BAD:
        found = sorted((one for one in verdicts if one.judgement == judgement), key=lambda one: (one.kind, one.seed))
        lines += [f"### {judgement.capitalize()}", ""]
        lines += [f"- `{one.kind}` {one.seed}: {_in_markdown(one.one_line())}" for one in found[:_SHOWN]] or ["none"]
        if len(found) > _SHOWN:
            lines.append(f"- and {len(found) - _SHOWN} more")
        lines.append("")
    file.write_text(page + "\n".join(lines).rstrip() + "\n", encoding="utf-8")


def _in_markdown(text: str) -> str:
    return "`` " + text.replace("``", "''") + " ``"
