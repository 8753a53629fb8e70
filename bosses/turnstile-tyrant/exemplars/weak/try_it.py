from limiter import RateLimiter

if __name__ == "__main__":
    gate = RateLimiter(3, 1)
    print([gate.try_acquire("me") for _ in range(5)])
