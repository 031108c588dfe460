"""N-grams: which ones two systems win and lose, which a system has too often or misses."""

from bleuscope.shell.analysis.alike_panel import alike_panel
from bleuscope.shell.analysis.ngram_panel import ngram_panel
from bleuscope.shell.page.frame import open_view

view = open_view()
alike_panel(view)
ngram_panel(view)
