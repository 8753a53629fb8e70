"""Shell completion and the manual page, both generated from the parser."""

from argparse import Namespace

from evalforge.cli import output
from evalforge.cli.exit_status import ExitStatus
from evalforge.model.installation import DISTRIBUTION


def completion(arguments: Namespace) -> int:
    """Print the lines that make a shell complete our command."""
    from argcomplete.shell_integration import shellcode

    output.print_document(shellcode(["evalforge", DISTRIBUTION], shell=arguments.shell) + "\n")
    return ExitStatus.SUCCESS
