"""`python -m mathrag` is the same as the `mathrag` command."""

from mathrag.cli.main import run

if __name__ == "__main__":
    run()
