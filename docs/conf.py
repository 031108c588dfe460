"""How Sphinx builds the documentation: ``make docs``. Nothing is fetched, neither here nor by a reader's browser."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "bleuscope"
author = "the bleuscope authors"
version = release = installed_version("bleuscope")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "api_types",
    "from_code",
    "glossary",
    "mathml",
    "moved",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "extensions"]
nitpicky = True
language = "en"

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
myst_update_mathjax = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
python_maximum_signature_line_length = 88
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_attr_annotations = False  # types stand in the signature of the class
toc_object_entries_show_parents = "hide"

# Types of other packages: their documentation is not at hand without the network.
nitpick_ignore_regex = [
    ("py:.*", r"(numpy|np|pandas|pd|plotly|go|pyarrow|pa|markupsafe|collections|types|typing)\..*"),
    (
        "py:.*",
        r"(NDArray|FormName|ArrayLike|Any|Callable|Mapping|Sequence|Markup|float64|int8|int64|bool|uint8|uint32|intp)",
    ),
]

# What a check and a study are made of, beneath what is public.
nitpick_ignore = [
    ("py:class", "bleucore.analysis.differing_ngrams.DifferingNgrams"),
    ("py:class", "bleucore.checks.compared_texts.Columns"),
    ("py:class", "bleucore.checks.findings.Observation"),
    ("py:class", "bleucore.counts.Signed"),
    ("py:class", "bleucore.history.all_pairs.AllPairs"),
    ("py:class", "bleucore.significance.verdict.Tested"),
    ("py:class", "bleuscope.content.comparison.inputs.Inputs"),
    ("py:class", "bleuscope.content.comparison.inputs.Loaded"),
    ("py:class", "bleuscope.content.sheets.sheet.Field"),
    ("py:class", "bleuscope.content.style.identity.SystemStyle"),
]

html_theme = "furo"
html_title = "bleuscope"
html_math_renderer = "mathml"
html_static_path = ["style.css", "reachable.js"]
html_css_files = ["style.css"]
html_js_files = ["reachable.js"]
html_logo = "../dashboard/bleuscope/logo.svg"
html_favicon = "../dashboard/bleuscope/icon.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_last_updated_fmt = None
html_theme_options = {"sidebar_hide_name": True}
pygments_style = "default"
