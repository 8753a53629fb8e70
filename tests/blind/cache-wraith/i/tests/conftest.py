import pytest


@pytest.fixture
def clock():
    class Clock:
        now = 0

        def __call__(self):
            return self.now

        def forward(self, seconds):
            self.now += seconds

    return Clock()
