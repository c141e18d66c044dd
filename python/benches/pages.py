"""Pages that benchmarks write into."""

from __future__ import annotations

import platform
from pathlib import Path


def put(page: Path, mark: str, lines: list[str]) -> None:
    """Puts lines into a page, between `<!-- mark -->` and `<!-- end -->`."""
    before, rest = page.read_text(encoding="utf-8").split(f"<!-- {mark} -->\n")
    after = rest[rest.index("<!-- end -->") :]
    page.write_text("\n".join([f"{before}<!-- {mark} -->", "", *lines, "", after]), encoding="utf-8")


def processor() -> str:
    """The name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
