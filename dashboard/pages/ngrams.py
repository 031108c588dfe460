"""N-grams: which ones two systems win and lose, which a system has too often or misses."""

from dashboard.shell.frame import open_view
from dashboard.shell.ngram_panel import ngram_panel

ngram_panel(open_view())
