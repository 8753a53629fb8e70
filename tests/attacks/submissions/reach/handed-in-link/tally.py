"""Is handed in together with links that lead to a secret, to be read along as its notes and its data."""

import pathlib

here = pathlib.Path(__file__).parent
print((here / "notes.md").read_text(), (here / "data.json").read_text())
