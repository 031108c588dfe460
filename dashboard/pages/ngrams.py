"""N-grams: which ones two systems win and lose, which a system has too often or misses."""

from dashboard.shell.analysis.ngram_panel import ngram_panel
from dashboard.shell.page.frame import open_view

ngram_panel(open_view())
