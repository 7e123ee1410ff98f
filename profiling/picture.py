"""The bar chart: the report's times beside the measured ones, on a log scale."""

from pathlib import Path
from typing import Any

from tables import Table, seconds

REPORT_COLOUR, MEASURED_COLOUR, GUESSED_COLOUR = "#b0b0b0", "#1f77b4", "#9ecae1"
ENDINGS = (".png", ".svg")


def draw(path: Path, solving: Table, writing: Table) -> None:
    """Draw both parts to ``path``, PNG or SVG by its ending."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.patches import Patch

    matplotlib.rcParams["svg.hashsalt"] = "compare"
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(13, 4.2), layout="constrained")
    whole = [row for row in solving.rows if row["search"] == "whole tree"]
    _bars(
        left,
        "Hard puzzle, whole tree",
        [(f"{row['label']} ({row['language']})", row) for row in whole],
    )
    most = max(row["grids"] for row in writing.rows)
    _bars(
        right,
        f"{most:,} grids to a file",
        [(row["name"], row) for row in writing.rows if row["grids"] == most],
    )
    figure.legend(
        handles=[
            Patch(color=REPORT_COLOUR, label="report"),
            Patch(color=MEASURED_COLOUR, label="measured"),
            Patch(color=GUESSED_COLOUR, label="extrapolated"),
        ],
        loc="outside lower center",
        ncols=3,
        frameon=False,
    )
    figure.savefig(path, dpi=90, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


def _bars(axes: Any, title: str, labelled: list[tuple[str, dict[str, Any]]]) -> None:
    for place, (_, row) in enumerate(labelled):
        colour = GUESSED_COLOUR if row["extrapolated"] else MEASURED_COLOUR
        bars = [(0.0, row["seconds"], colour)]
        if row["report_seconds"] and row.get("language") != "Python":
            bars = [(-0.2, row["report_seconds"], REPORT_COLOUR), (0.2, row["seconds"], colour)]
        for shift, value, shade in bars:
            axes.barh(place + shift, value, 0.38, color=shade)
            axes.text(value, place + shift, f" {seconds(value)}", va="center", fontsize=8)
    axes.set_yticks(range(len(labelled)), [label for label, _ in labelled], fontsize=8)
    axes.invert_yaxis()
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.set_xlim(low, high * 6)
    axes.set_xlabel("seconds, log scale")
    axes.set_title(title, fontsize=10)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
