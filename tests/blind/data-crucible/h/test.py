import json
import os

os.system("python data_crucible.py --input sample.csv --config config.json --output totals.json")
result = json.load(open("totals.json"))
for group in result:
    print(group)
print("should be 4 groups:", len(result))
os.system("python data_crucible.py --input nothing.csv --config config.json --output totals.json")
