"""An executor whose tasks are copied, as between processes, and may fail."""

import pickle
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor


class CopyingExecutor(ThreadPoolExecutor):
    """Threads that run copies of functions and arguments, and return copies of results.

    The first `n_failures` tasks fail.
    """

    n_failures = 0

    def submit(self, function, /, *arguments):
        task = pickle.dumps((function, arguments))
        fails = self.n_failures > 0
        self.n_failures -= 1

        def run():
            if fails:
                raise BrokenExecutor("a worker has died")
            copied, own = pickle.loads(task)
            return pickle.loads(pickle.dumps(copied(*own)))

        return super().submit(run)
