#!/bin/sh
# Takes out of an environment ($1) what neither a page nor a command needs, and compiles only what they import.
set -eu
cd "$1"/lib/python3*/site-packages
# Tests of packages, parts for Jupyter, sources of what is compiled, and Arrow over the network
find . -type d \( -name tests -o -name __pycache__ -o -path ./pydeck/nbextension -o -path ./plotly/labextension \
    -o -path ./pyarrow/include \) -prune -exec rm -rf {} +
find . -type f \( -name '*.py[xdi]' -o -name '*.[ch]' -o -name '*.cc' -o -name '*.hpp' \) -exec rm {} +
rm -rf pyarrow/*flight* pyarrow/*_s3* "$1/share/jupyter"
python -m compileall -q bleucore bleuscope streamlit 2> /dev/null || true # of the demo, its own code lies elsewhere
if [ -n "${2-}" ]; then cd "$2"; fi
python -c '
import sys
sys.path[:0] = sys.argv[1:]
import numpy.testing, pandas, pyarrow.parquet
from bleuscope.cli.command import bleuscope
from bleuscope.shell.server import public_demo, server
from bleuscope.shell.analysis import head_start
head_start.make()
bleuscope(["report", "--sample", "-o", "/tmp/report.html"])
' ${2:+"$2" "$2/dashboard"} && rm /tmp/report.html
