"""Recipes, their runs and factors, as Plotly figures."""

from html import escape

import numpy as np
import plotly.graph_objects as go

from bleucore.experiments.claims import RecipeClaim, RunStudy
from bleucore.experiments.factors import FactorTable
from bleuscope.content.style import numbers
from bleuscope.content.style.charts import DRAWN, NEUTRAL, OBSERVED, WHISKER, axis_names, label, named_at_ends, styled
from bleuscope.content.style.cut_names import NAME_LENGTH
from bleuscope.features.runs.words import level_told, recipe_told

ROW_HEIGHT, AROUND, CURVE_HEIGHT = 48, 130, 340
TIMES_RUNS = np.arange(1, 6)
TIMES_SEGMENTS = (1, 2, 4)
DASHES = ("solid", "dash", "dot")
MOST_NAME = 30
"""Columns of the name of a recipe at an axis."""
BAND = "rgba(31, 120, 180, 0.15)"


def recipes_figure(study: RunStudy, metric: str) -> go.Figure:
    """A row for each recipe: its mean with the interval, and a dot for each run."""
    recipes = study.recipes
    rows, names = [*range(len(recipes))], axis_names([one.recipe for one in recipes], MOST_NAME)
    figure = go.Figure()
    dots = [
        (run, row, float(study.runs.scores[study.runs.names.index(run)]))
        for row, recipe in enumerate(recipes)
        for run in recipe.systems
    ]
    figure.add_scatter(
        x=[score for _, _, score in dots],
        y=[row for _, row, _ in dots],
        mode="markers",
        name="run",
        marker={"color": OBSERVED, "size": 7, "symbol": "circle-open", "line": {"width": 2}},
        customdata=[[label(run), numbers.score(score)] for run, _, score in dots],
        hovertemplate="%{customdata[0]}: %{customdata[1]}<extra></extra>",
    )
    ends = [recipe.interval or (recipe.mean, recipe.mean) for recipe in recipes]
    figure.add_scatter(
        x=[recipe.mean for recipe in recipes],
        y=rows,
        mode="markers",
        name="mean of runs with 95 % CI",
        marker={"color": DRAWN, "size": 10, "symbol": "diamond"},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [high - recipe.mean for recipe, (_, high) in zip(recipes, ends, strict=True)],
            "arrayminus": [recipe.mean - low for recipe, (low, _) in zip(recipes, ends, strict=True)],
            **WHISKER,
        },
        customdata=[[label(recipe.recipe), numbers.score(recipe.mean), len(recipe.systems)] for recipe in recipes],
        hovertemplate="%{customdata[0]}: %{customdata[1]}, runs: %{customdata[2]}<extra></extra>",
    )
    figure.update_yaxes(
        tickvals=rows,
        ticktext=[f"{name}<br>{recipe_told(recipe)}" for name, recipe in zip(names, recipes, strict=True)],
        range=[len(rows) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(title=escape(metric, quote=False))
    return styled(figure, "Recipes and their runs", height=AROUND + ROW_HEIGHT * len(rows))


def planning_figure(study: RunStudy, claim: RecipeClaim, metric: str) -> go.Figure:
    """How wide the interval of a difference would be with more runs, a line for each number of segments."""
    parts = claim.estimate.parts
    figure, ends = go.Figure(), []
    for times, dash in zip(TIMES_SEGMENTS, DASHES, strict=True):
        widths = [parts.half_width(float(more), float(times)) for more in TIMES_RUNS]
        segments = numbers.counted(study.runs.n_segments * times, "segment")
        colour = DRAWN if times == 1 else NEUTRAL
        ends.append((widths[-1], segments, colour))
        figure.add_scatter(
            x=TIMES_RUNS * sum(claim.n_runs),
            y=widths,
            mode="lines+markers",
            name=segments,
            line={"color": colour, "dash": dash, "width": 2},
            customdata=[[numbers.score(width), segments] for width in widths],
            hovertemplate="%{x} runs, %{customdata[1]}: ± %{customdata[0]}<extra></extra>",
        )
    figure.update_xaxes(title="runs of both recipes together", tickvals=TIMES_RUNS * sum(claim.n_runs))
    figure.update_yaxes(title=f"95 % CI ± {escape(metric, quote=False)}")
    styled(figure, f"More runs or segments: {label(claim.recipe, NAME_LENGTH)}", height=CURVE_HEIGHT)
    highest = max(max(trace.y) for trace in figure.data)
    return named_at_ends(figure, ends, (0.0, 1.06 * highest or 1.0), height=CURVE_HEIGHT)


def factor_figure(table: FactorTable, metric: str) -> go.Figure:
    """The means of the levels of a factor with intervals; a curve with its band through numeric ones."""
    figure = go.Figure()
    curve = table.curve
    if curve is not None:
        for edge, filled in ((curve.low, None), (curve.high, "tonexty")):
            figure.add_scatter(
                x=curve.places,
                y=edge,
                mode="lines",
                line={"width": 0},
                fill=filled,
                fillcolor=BAND,
                hoverinfo="skip",
                showlegend=False,
            )
        figure.add_scatter(
            x=curve.places,
            y=curve.means,
            mode="lines",
            name="fitted curve with 95 % band",
            line={"color": DRAWN, "width": 2},
            hoverinfo="skip",
        )
    levels = table.levels
    means = [one.estimate.value for one in levels]
    ends = [one.interval or (one.estimate.value,) * 2 for one in levels]
    told = [level_told(one.level) for one in levels]
    names = axis_names(told)
    figure.add_scatter(
        x=names if curve is None else [one.level for one in levels],
        y=means,
        mode="markers",
        name="mean of the level",
        marker={"color": OBSERVED, "size": 9},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [high - mean for mean, (_, high) in zip(means, ends, strict=True)],
            "arrayminus": [mean - low for mean, (low, _) in zip(means, ends, strict=True)],
            **WHISKER,
        },
        customdata=[[label(name), numbers.score(mean)] for name, mean in zip(told, means, strict=True)],
        hovertemplate="%{customdata[0]}: %{customdata[1]}<extra></extra>",
    )
    kind = "category" if curve is None else "log" if curve.is_logarithmic else "linear"
    figure.update_xaxes(title=label(table.factor), type=kind)
    figure.update_yaxes(title=escape(metric, quote=False))
    return styled(figure, f"{label(metric, 24)} by {label(table.factor, 24)}", height=CURVE_HEIGHT)
