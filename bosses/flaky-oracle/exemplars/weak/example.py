from oracle import Caller


def ping(host):
    return "pong " + host


if __name__ == "__main__":
    print(Caller(ping).call("localhost"))
