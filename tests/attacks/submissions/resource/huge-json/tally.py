"""Writes a result file that is all brackets."""

if __name__ == "__main__":
    with open("out.json", "w") as file:
        file.write("[" * 15_000_000)
    print("total: 0")
