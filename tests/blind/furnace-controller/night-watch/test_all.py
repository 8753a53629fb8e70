import subprocess, sys, json

# run me with python test_all.py

def try_it(readings, expected):
    with open("tmp.json", "w") as f:
        json.dump({"readings": readings}, f)
    p = subprocess.run([sys.executable, "furnace_controller.py", "--input", "tmp.json", "--target-temp", "20"])
    if p.returncode == expected:
        print("ok", readings)
    else:
        print("FAIL", readings, p.returncode)


if __name__ == "__main__":
    try_it([10], 10)
    try_it([30], 11)
    try_it([20], 0)
