def average(total, count):
    if count == 0:
        return 0
    return total / count


def option(arguments, name):
    return arguments[arguments.index(name) + 1]
