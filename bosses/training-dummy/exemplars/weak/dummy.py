import sys

def hit(name):
    print("Thwack! " + name + " lands blow 1.")

hit(sys.argv[1])
