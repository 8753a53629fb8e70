from furnace_controller import average


def test_average():
    result = average([10, 20, 30])
    print("average is", result)


def test_average_of_one():
    average([5])
