"""Which addresses there are: pages, their files and Streamlit's routes; and which of them a shared view needs.

Both are lists of what is there: Streamlit answers every other address with its page, and may get further routes.
"""

from dataclasses import dataclass

from bleuscope.streamlit_port import AGENT, COMPONENTS, HEALTH, HOST_CONFIG, MEDIA, METRICS, STREAM, UPLOADS

LOOKED_FOR = frozenset({HEALTH, HOST_CONFIG})
"""What a page asks for first, to find its server: at the root and beneath a page."""
ROUTES = LOOKED_FOR | {STREAM, METRICS}
FOLDERS = (f"{MEDIA}/", COMPONENTS, AGENT)
"""Beneath which Streamlit knows what there is."""
OWN_COMPONENTS = f"{COMPONENTS}bleuscope."
"""How the addresses begin of what components of our features are made of."""
WRITTEN = (UPLOADS,)
"""Beneath which there is nothing to read."""


@dataclass(frozen=True)
class Addresses:
    """What there is; addresses are without the slash at their beginning.

    Attributes:
        pages: Of pages.
        files: Of files that pages are made of.
    """

    pages: frozenset[str]
    files: frozenset[str] = frozenset()

    def have(self, address: str, *, is_read: bool) -> bool:
        """Whether there may be something at an address, to be read or for something else."""
        is_ours = not address or address in self.pages or address in self.files
        folders = FOLDERS if is_read else FOLDERS + WRITTEN
        return is_ours or address in ROUTES or _is_in(folders, address) or self._is_beneath_page(address)

    def begin(self) -> set[str]:
        """How the addresses begin."""
        return {address.partition("/")[0] for address in (*self.pages, *self.files, *ROUTES, *FOLDERS)}

    def _is_beneath_page(self, address: str) -> bool:
        page, _, rest = address.partition("/")
        return page in self.pages and rest in (*LOOKED_FOR, STREAM)

    def are_of_view(self, address: str, page: str, *, is_socket: bool) -> bool:
        """Whether an address belongs to one page: the page, its socket, and what the browser draws it with."""
        beneath = address.removeprefix(f"{page}/")
        if is_socket:
            return beneath == STREAM
        is_page = address in (page, f"{page}/") or beneath in LOOKED_FOR
        return is_page or address in self.files or _is_in((f"{MEDIA}/", OWN_COMPONENTS), address)


def _is_in(folders: tuple[str, ...], address: str) -> bool:
    return any(address.startswith(folder) and address != folder for folder in folders)
