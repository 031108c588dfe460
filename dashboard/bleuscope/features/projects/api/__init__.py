"""The HTTP API of a workspace, for programs that push to it and read from it.

Whoever asks shows a token of one project (``workspace.tokens``). Cookies mean nothing here, so no page of another site
can act for somebody who is logged in.
"""
