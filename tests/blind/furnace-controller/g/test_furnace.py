import os

print("should be STABLE")
os.system("python furnace_controller.py --input readings.json --target-temp 850 --tolerance 5")
print("should be HEAT")
os.system("python furnace_controller.py --input readings.json --target-temp 900")
print("should be COOL")
os.system("python furnace_controller.py --input readings.json --target-temp 20")
print("should be an error")
os.system("python furnace_controller.py --input nothing.json --target-temp 20")
