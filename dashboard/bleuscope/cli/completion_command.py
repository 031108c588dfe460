"""``bleuscope completion``: what a shell needs to complete commands, options and files."""

import click
from click.shell_completion import get_completion_class

from bleuscope.cli.command import COMPLETE_VARIABLE, NAME, bleuscope
from bleuscope.cli.shared_options import examples
from bleuscope.cli.streams import print_result

SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion",
    epilog=examples(
        "bleuscope completion bash >> ~/.bashrc",
        "bleuscope completion zsh >> ~/.zshrc",
        "bleuscope completion fish > ~/.config/fish/completions/bleuscope.fish",
    ),
)
@click.argument("shell", type=click.Choice(SHELLS))
def completion_command(shell: str) -> None:
    """Print the script that completes commands and options in a shell."""
    completing = get_completion_class(shell)
    if completing is not None:
        print_result(f"{completing(bleuscope, {}, NAME, COMPLETE_VARIABLE).source()}\n")
