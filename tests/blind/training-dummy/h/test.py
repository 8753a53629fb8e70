import os

print("should be 1 line:")
os.system("python3 dummy.py Bob")
print("should be 3 lines:")
os.system("python3 dummy.py Bob --blows 3")
print("should be an error:")
os.system("python3 dummy.py Bob --blows 0")
