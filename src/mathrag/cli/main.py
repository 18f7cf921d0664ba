"""The `mathrag` command: its options, its commands, and the one place where errors become a line and an exit code."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping
from typing import NamedTuple

import click

from mathrag.errors import FormulaError, MathragError, UnitError, UsageError, did_you_mean, point_at, readable
from mathrag.version import __version__


class Entry(NamedTuple):
    """Where a command lives (`module:name`) and its line in the list of commands."""

    target: str
    summary: str


class LazyGroup(click.Group):
    """A group whose commands are named, with their summaries, but imported only when they run: help answers at once."""

    def __init__(self, name: str, entries: Mapping[str, Entry], *, summary: str, **options: object) -> None:
        super().__init__(name, help=summary, **options)  # type: ignore[arg-type]
        self.entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        entry = self.entries.get(cmd_name)
        if entry is None:
            return None
        module, _, attribute = entry.target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # What looks like an option is click's to complain about.
        if args[0] not in self.entries and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(f"there is no command {args[0]}{_nearest_command(self, args[0])}", ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self.entries.items()])


FORMULA_COMMANDS = {
    "parse": Entry("mathrag.cli.formula_parse:command", "Read a formula in LaTeX, MathML or plain text."),
    "solve": Entry("mathrag.cli.formula_solve:command", "Solve a formula for any of its symbols."),
    "eval": Entry("mathrag.cli.formula_eval:command", "Compute the missing value of a formula, with units."),
    "check": Entry("mathrag.cli.formula_check:command", "Check the dimensions of a formula."),
}
QUANTITY_COMMANDS = {
    "parse": Entry("mathrag.cli.quantity_parse:command", "Find the quantities in a sentence."),
    "convert": Entry("mathrag.cli.quantity_convert:command", "Convert a quantity to another unit."),
}
WORKSHEET_COMMANDS = {
    "run": Entry("mathrag.cli.worksheet_run:command", "Compute a worksheet and print what each line gives."),
    "export": Entry("mathrag.cli.worksheet_export:command", "Write a worksheet as Markdown, notebook, LaTeX, PDF, …"),
    "new": Entry("mathrag.cli.worksheet_saved:new", "Write a worksheet to begin with into a file."),
    "save": Entry("mathrag.cli.worksheet_saved:save", "Keep a file as a worksheet of the library."),
    "list": Entry("mathrag.cli.worksheet_saved:list_all", "List the worksheets of the library."),
    "show": Entry("mathrag.cli.worksheet_saved:show", "Print the text of a worksheet of the library."),
    "remove": Entry("mathrag.cli.worksheet_saved:remove", "Take a worksheet out of the library."),
}
EVALUATE_COMMANDS = {
    "airqa": Entry("mathrag.cli.evaluate_airqa:command", "Grade answers about papers; how well papers are found."),
    "formula-qa": Entry("mathrag.cli.evaluate_formula_qa:command", "Answer a question set and report how well."),
    "formula-reasoning": Entry("mathrag.cli.evaluate_formula_reasoning:command", "The same for FormulaReasoning."),
    "m3sciqa": Entry("mathrag.cli.evaluate_m3sciqa:command", "How well passages that answer questions are found."),
    "math": Entry("mathrag.cli.evaluate_math:command", "Solve problems of mathematics with a model, in steps."),
    "methods": Entry("mathrag.cli.evaluate_methods:command", "What answering about documents costs, by method."),
    "problems": Entry("mathrag.cli.evaluate_problems:command", "How well problems and steps are found."),
    "quality": Entry("mathrag.cli.evaluate_quality:command", "Whether scores tell right solutions from wrong ones."),
    "retrieval": Entry("mathrag.cli.evaluate_retrieval:command", "How well concepts are found for problems."),
    "steps": Entry("mathrag.cli.evaluate_steps:command", "Find the false steps of solutions whose errors are known."),
    "compare": Entry("mathrag.cli.evaluate_compare:command", "What got better and worse between two runs."),
    "votes": Entry("mathrag.cli.evaluate_votes:command", "How often each vote among solutions is right."),
}
USERS_COMMANDS = {
    "add": Entry("mathrag.cli.users:add", "Add a user and show the token, once."),
    "list": Entry("mathrag.cli.users:show", "List the users with their roles."),
    "remove": Entry("mathrag.cli.users:remove", "Take a user out."),
    "token": Entry("mathrag.cli.users:token", "Give a user another token."),
}
CONFIG_COMMANDS = {
    "show": Entry("mathrag.cli.config:show", "Show every setting and where its value comes from."),
    "get": Entry("mathrag.cli.config:get", "Print the value of one setting."),
    "set": Entry("mathrag.cli.config:set_", "Write a setting into the settings file."),
    "unset": Entry("mathrag.cli.config:unset", "Take a setting out of the settings file."),
    "path": Entry("mathrag.cli.config:path", "Print where the settings file is."),
}
COMMANDS = {
    "ingest": Entry("mathrag.cli.ingest:command", "Read documents into the library."),
    "ask": Entry("mathrag.cli.ask:command", "Answer a question by computing, or say what is missing."),
    "chat": Entry("mathrag.cli.chat:command", "Questions one after the other, with follow-ups."),
    "solve-steps": Entry(
        "mathrag.cli.solve_steps:command", "Let a language model solve a problem in steps, and check each calculation."
    ),
    "replay": Entry("mathrag.cli.replay:command", "Compute a recorded answer again and compare."),
    "export-tool": Entry("mathrag.cli.export_tool:command", "Write a formula as a Python function."),
    "serve": Entry("mathrag.cli.serve:command", "Web pages and a JSON API for the library."),
    "watch": Entry("mathrag.cli.watch:command", "Keep the library in step with folders of documents."),
    "users": Entry("mathrag.cli.main:users", "Who may use a server, and in which role."),
    "mcp": Entry("mathrag.cli.mcp:command", "The library as tools for assistants (Model Context Protocol)."),
    "search": Entry("mathrag.cli.search:command", "Find formulas, constants, concepts and passages."),
    "show": Entry("mathrag.cli.show:command", "Show a formula, a constant, a concept or a document."),
    "concepts": Entry("mathrag.cli.concepts:command", "Concepts of mathematics that dictionaries define."),
    "status": Entry("mathrag.cli.status:command", "Count what the library holds; list files that failed."),
    "conflicts": Entry("mathrag.cli.conflicts:command", "List entries that cannot all be right."),
    "trust": Entry("mathrag.cli.trust:command", "Mark a document as trusted or not."),
    "edit": Entry("mathrag.cli.edit:command", "Correct what was read."),
    "remove": Entry("mathrag.cli.remove:command", "Take a document out of the library."),
    "check": Entry("mathrag.cli.check:command", "Check the library, or rebuild what is derived."),
    "check-solution": Entry("mathrag.cli.check_solution:command", "Check a written solution step by step."),
    "gate": Entry("mathrag.cli.gate:command", "Decide by which score worked examples or passages are ranked."),
    "selftest": Entry("mathrag.cli.selftest:command", "Examine the library by its own worked examples."),
    "export": Entry(
        "mathrag.cli.export:command", "Write the library as Turtle, JSON-LD, CSV, Parquet, LaTeX or Markdown."
    ),
    "import": Entry("mathrag.cli.import_:command", "Read a library back from Turtle, or take in solutions."),
    "sql": Entry("mathrag.cli.sql:command", "Query the library with SQL."),
    "sparql": Entry("mathrag.cli.sparql:command", "Query the library with SPARQL."),
    "cache": Entry("mathrag.cli.cache:command", "Show or clear the kept replies of language models."),
    "evaluate": Entry("mathrag.cli.main:evaluate", "Measure answers on questions whose answers are known."),
    "worksheet": Entry("mathrag.cli.main:worksheet", "Compute, keep and write worksheets."),
    "formula": Entry("mathrag.cli.main:formula", "Read, solve, evaluate and check formulas."),
    "quantity": Entry("mathrag.cli.main:quantity", "Read quantities and units as people write them."),
    "config": Entry("mathrag.cli.main:config", "Show and change settings."),
    "doctor": Entry("mathrag.cli.doctor:command", "Say what is installed, what is missing, and how to get it."),
    "completion": Entry("mathrag.cli.completion:command", "Print what makes a shell complete commands and options."),
    "demo": Entry("mathrag.cli.demo:command", "Show what this does on formulas that come with it."),
}
GROUPS = {
    "formula": FORMULA_COMMANDS,
    "quantity": QUANTITY_COMMANDS,
    "evaluate": EVALUATE_COMMANDS,
    "config": CONFIG_COMMANDS,
    "users": USERS_COMMANDS,
    "worksheet": WORKSHEET_COMMANDS,
}

formula = LazyGroup("formula", FORMULA_COMMANDS, summary="Read, solve, evaluate and check formulas.")
worksheet = LazyGroup("worksheet", WORKSHEET_COMMANDS, summary="Compute, keep and write worksheets.")
quantity = LazyGroup("quantity", QUANTITY_COMMANDS, summary="Read quantities and units as people write them.")
users = LazyGroup("users", USERS_COMMANDS, summary="Who may use a server (`mathrag serve --users`), and in which role.")
evaluate = LazyGroup("evaluate", EVALUATE_COMMANDS, summary="Measure answers on questions whose answers are known.")
config = LazyGroup("config", CONFIG_COMMANDS, summary="Show and change settings.")


def _nearest_command(group: LazyGroup, wrong: str) -> str:
    """What may have been meant: a command of this name elsewhere, else the nearest one here."""
    elsewhere = [
        f"mathrag {name} {wrong}" if name else f"mathrag {wrong}"
        for name, commands in (("", COMMANDS), *GROUPS.items())
        if wrong in commands
    ]
    if elsewhere:
        return f"; did you mean {' or '.join(elsewhere)}?"
    return did_you_mean(wrong, group.entries)


def _show_version(context: click.Context) -> None:
    click.echo(f"mathrag {__version__}")
    context.exit()


cli = LazyGroup(
    "mathrag",
    COMMANDS,
    summary="Answer quantitative questions by computing: formulas read, units checked, every number traced.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    params=[
        click.Option(["--debug"], is_flag=True, help="Show the full traceback of an error."),
        click.Option(
            ["-V", "--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=lambda ctx, _, value: _show_version(ctx) if value else None,
            help="Show the version and leave.",
        ),
    ],
    callback=lambda debug: None,  # noqa: ARG005  (read from the arguments in run(), where errors are caught)
)


def run() -> None:
    """Run the command line and leave with its exit code: 0 done, 1 failed, 2 called wrongly."""
    arguments = sys.argv[1:]
    sys.exit(main(arguments, debug="--debug" in arguments))


def main(arguments: list[str], *, debug: bool = False) -> int:
    """Run with these arguments; errors become one line on stderr (and a pointer at the place, where there is one)."""
    try:
        code = cli.main(args=arguments, prog_name="mathrag", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("mathrag: interrupted", err=True)
        return 130
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        return _complain(_usage_sentence(error), 2)
    except UsageError as error:
        return _complain(str(error), 2)
    except MathragError as error:
        if debug:
            raise
        place = point_at(error.source, error.position) if isinstance(error, FormulaError | UnitError) else ""
        return _complain(str(error), 1, place)
    except BrokenPipeError:
        # The reader of our output has gone; that is its right. Point stdout elsewhere so that the final flush is quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if debug:
            raise
        return _complain(
            f"something went wrong inside ({type(error).__name__}); run again with --debug and report it", 1
        )
    return code if isinstance(code, int) else 0


def _usage_sentence(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    sentence = " ".join(error.format_message().split()).rstrip(".")
    if isinstance(error, click.NoSuchOption):
        nearest = f"; did you mean {' or '.join(error.possibilities)}?" if error.possibilities else ""
        sentence = f"there is no option {error.option_name}{nearest}"
    if context is None:
        return sentence
    return f"{sentence}{' See' if sentence.endswith('?') else '; see'} {context.command_path} --help"


def _complain(sentence: str, code: int, place: str = "") -> int:
    click.echo(f"mathrag: {readable(sentence)}", err=True)
    if place:
        click.echo(place, err=True)
    return code
