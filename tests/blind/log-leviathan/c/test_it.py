import os

print("should be 7 lines, 2 malformed:")
os.system("python log_leviathan.py harbour.log")
print("should have one slow request only:")
os.system("python log_leviathan.py harbour.log --top 1")
print("should say error:")
os.system("python log_leviathan.py nothing.log")
