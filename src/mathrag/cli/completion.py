"""`mathrag completion`: the lines that make a shell complete commands, options and paths."""

from __future__ import annotations

import click

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag completion bash
  mathrag completion fish
"""
)
_HOW = {
    "bash": '# Put this into ~/.bashrc:  eval "$(mathrag completion bash)"',
    "zsh": '# Put this into ~/.zshrc, after compinit:  eval "$(mathrag completion zsh)"',
    "fish": "# Write this to ~/.config/fish/completions/mathrag.fish",
}
VARIABLE = "_MATHRAG_COMPLETE"


@click.command("completion", epilog=EXAMPLE)
@click.argument("shell", type=click.Choice(tuple(_HOW)))
def command(shell: str) -> None:
    """Print what SHELL needs to complete commands, options, choices and paths after Tab.

    \b
    bash:  eval "$(mathrag completion bash)"    in ~/.bashrc
    zsh:   eval "$(mathrag completion zsh)"     in ~/.zshrc
    fish:  mathrag completion fish > ~/.config/fish/completions/mathrag.fish
    """
    from click.shell_completion import get_completion_class

    from mathrag.cli.main import cli

    found = get_completion_class(shell)
    assert found is not None
    click.echo(_HOW[shell])
    # Not through `source()`, which asks the bash on the path for its version.
    completion = found(cli, {}, "mathrag", VARIABLE)
    click.echo(completion.source_template % completion.source_vars())
