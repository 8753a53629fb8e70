"""
scheduler.py
============

This module contains a robust task scheduler that is built on top of ``asyncio``.

Overview
--------
A *task* has a name, a callable (its *work*) and a list of names of other tasks that it waits for. The scheduler
executes every task after the tasks it waits for, limits how many of them are under way at the same time, and reports
an outcome for each of them.

Error handling
--------------
All errors are handled gracefully. See the individual methods for details.
"""

import asyncio
import inspect
import logging

logger = logging.getLogger(__name__)


class CycleError(ValueError):
    """
    Raised when tasks wait for each other in a circle.

    Attributes
    ----------
    cycle : list of str
        The names of the tasks on the circle, each of them once.
    """

    def __init__(self, cycle):
        """
        Initialise the error.

        Parameters
        ----------
        cycle : list of str
            The names of the tasks on the circle.
        """
        super().__init__("Cycle detected: " + " -> ".join(cycle))
        self.cycle = cycle


class Scheduler:
    """
    Knows tasks and what they wait for, and runs them.

    Parameters
    ----------
    limit : int or None
        How many tasks may be under way at once. ``None`` stands for any number.

    Raises
    ------
    TypeError
        If the limit is neither an int nor None.
    ValueError
        If the limit is below 1.
    """

    def __init__(self, limit=None):
        """
        Initialise the scheduler without tasks.

        Parameters
        ----------
        limit : int or None
            How many tasks may be under way at once.
        """
        if limit is not None:
            if isinstance(limit, bool) or not isinstance(limit, int):
                raise TypeError("limit must be an int or None")
            if limit < 1:
                raise ValueError("limit must be 1 or more")
        self._limit = limit
        self._works = {}
        self._after = {}
        self._outcomes = {}
        self._finished = {}

    def add(self, name, work, after=()):
        """
        Tell of a task.

        Parameters
        ----------
        name : str
            The name of the task. It must not be empty and must not be taken.
        work : callable
            What to call with the inputs.
        after : iterable of str
            The names of the tasks that this one waits for.

        Raises
        ------
        TypeError
            If an argument has the wrong type.
        ValueError
            If the name is empty or taken.
        """
        if not isinstance(name, str):
            raise TypeError("name must be a str")
        if not name:
            raise ValueError("name must not be empty")
        if name in self._works:
            raise ValueError("name is already taken: %s" % name)
        if not callable(work):
            raise TypeError("work must be callable")
        try:
            names = list(dict.fromkeys(after))
        except Exception as error:
            raise TypeError("after must be an iterable of str") from error
        if not all(isinstance(each, str) for each in names):
            raise TypeError("after must be an iterable of str")
        self._works[name] = work
        self._after[name] = names

    def __len__(self):
        """
        Return the number of tasks.

        Returns
        -------
        int
            How many tasks there are.
        """
        return len(self._works)

    def plan(self):
        """
        Compute the order in which the tasks would start one at a time.

        Returns
        -------
        list of str
            All names, in that order.

        Raises
        ------
        ValueError
            If a task waits for a name that no task has.
        CycleError
            If tasks wait for each other in a circle.
        """
        for name, names in self._after.items():
            for each in names:
                if each not in self._works:
                    raise ValueError("%s waits for %s, which is unknown" % (name, each))
        order = []
        placed = set()
        remaining = list(self._works)
        while remaining:
            for name in remaining:
                if all(each in placed for each in self._after[name]):
                    order.append(name)
                    placed.add(name)
                    remaining.remove(name)
                    break
            else:
                raise CycleError(self._find_cycle(remaining))
        return order

    def _find_cycle(self, remaining):
        """
        Find one circle among the tasks that can't be placed.

        Parameters
        ----------
        remaining : list of str
            The names of the tasks that can't be placed.

        Returns
        -------
        list of str
            The names on the circle.
        """
        path = [remaining[0]]
        while True:
            following = [each for each in self._after[path[-1]] if each in remaining][0]
            if following in path:
                return path[path.index(following):]
            path.append(following)

    async def _execute(self, name, inputs):
        """
        Execute the work of one task and protect the caller from all of its errors.

        Parameters
        ----------
        name : str
            The name of the task.
        inputs : dict
            The results of the tasks it waited for.

        Returns
        -------
        tuple
            ``("done", result)`` or ``("failed", error)``.
        """
        try:
            result = self._works[name](inputs)
            if inspect.isawaitable(result):
                result = await result
            return ("done", result)
        except Exception as error:
            logger.warning("task %s failed: %r", name, error)
            return ("failed", error)

    async def _run_task(self, name, places):
        """
        Wait for everything that a task waits for, then execute it.

        Parameters
        ----------
        name : str
            The name of the task.
        places : asyncio.Semaphore or None
            Limits how many tasks are under way.
        """
        if places is not None:
            await places.acquire()
        try:
            for each in self._after[name]:
                await self._finished[each].wait()
            failed = [each for each in self._after[name] if self._outcomes[each][0] == "failed"]
            if failed:
                self._outcomes[name] = ("skipped", sorted(failed, key=list(self._works).index))
            else:
                inputs = {each: self._outcomes[each][1] for each in self._after[name]}
                self._outcomes[name] = await self._execute(name, inputs)
        finally:
            self._finished[name].set()
            if places is not None:
                places.release()

    async def run(self):
        """
        Run all tasks and report what became of them.

        The outcomes are remembered, so that tasks whose outcome is known need not be run again.

        Returns
        -------
        dict
            The outcome of each task by its name.
        """
        try:
            order = self.plan()
        except CycleError:
            raise
        except Exception as error:
            logger.warning("no plan (%s), going on in the order of adding", error)
            order = list(self._works)
        places = asyncio.Semaphore(self._limit) if self._limit else None
        todo = [name for name in self._works if name in order and name not in self._outcomes]
        for name in todo:
            self._finished[name] = asyncio.Event()
        running = [asyncio.create_task(self._run_task(name, places)) for name in todo]
        try:
            await asyncio.gather(*running, return_exceptions=True)
        except asyncio.CancelledError:
            logger.warning("run was cancelled")
        except Exception as error:
            logger.error("unexpected error: %r", error)
        return {name: self._outcomes[name] for name in self._works if name in self._outcomes}
