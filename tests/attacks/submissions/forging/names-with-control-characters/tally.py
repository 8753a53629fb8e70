"""Gives files and code names that steer a terminal."""

code = compile("def strike(): raise ValueError('x')\nstrike()", "\x1b[31mred\x07.py", "exec")
for name in ("\x1b[31mred.json", "\u202egnp.json", "new\nline.json", "out.json"):
    with open(name, "w") as file:
        file.write('{"total": "\\u001b[31m"}')
if __name__ == "__main__":
    print("\x1b[31mtotal: 0")
    exec(code)
