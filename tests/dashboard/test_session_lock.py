"""Sessions that take turns."""

import threading
from contextlib import suppress

from bleuscope.shell.server.session_lock import turn


def test_one_follows_the_other():
    inside, most = [], []

    def work():
        for _ in range(20):
            with turn(60):
                inside.append(None)
                most.append(len(inside))
                threading.Event().wait(0.0005)  # another thread would come in here
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 80


def test_who_takes_long_does_not_hold_up_the_others():
    went_on = threading.Event()

    def other():
        with turn(0.01):
            went_on.set()

    with turn():
        thread = threading.Thread(target=other)
        thread.start()
        assert went_on.wait(30)
        thread.join()
    with turn(0.01):
        pass
    assert went_on.is_set()


def test_a_turn_ends_with_whatever_is_raised():
    class Stopped(BaseException):
        """As Streamlit stops a script."""

    with suppress(Stopped), turn():
        raise Stopped
    done = threading.Event()

    def other():
        with turn(60):
            done.set()

    thread = threading.Thread(target=other)
    thread.start()
    assert done.wait(30)
    thread.join()
