"""Many test sets together: what each says, and what they say together."""

import numpy as np

from bleucore.campaign import combine, set_result
from bleucore.significance import ComparedSystems, SignificanceOptions

OPTIONS = SignificanceOptions(trials=999, resamples=199, unit="segment")


def made_set(name, gains, n_segments=60, seed=0, sign=1.0, options=OPTIONS, **settings):
    """A set of systems whose segment scores are random numbers, and a mean that is the score."""
    generator = np.random.default_rng(seed)
    common = generator.normal(size=n_segments)
    systems = [
        (system, np.stack([common + gain + generator.normal(size=n_segments), np.ones(n_segments)], axis=1))
        for system, gain in gains.items()
    ]
    compared = ComparedSystems(systems, lambda counts: sign * counts[..., 0] / counts[..., 1], sign > 0)
    told = {"digest": name, "metric": "mean", "signature": "mean", "options": options}
    return set_result(name, compared, **(told | settings))


def test_a_system_that_is_better_on_every_set_is_found_on_every_set():
    sets = [made_set(f"set {number}", {"A": 1.0, "B": 0.0}, seed=number) for number in range(4)]
    (pair,) = combine(sets).pairs
    assert (pair.wins, pair.losses, pair.ties, pair.n_sets) == (4, 0, 0, 4)
    assert pair.n_sets_better == 4
    assert pair.is_significant


def test_a_missing_cell_is_none():
    sets = [made_set("one", {"A": 1.0, "B": 0.0}), made_set("two", {"A": 1.0, "C": 0.0}, seed=2)]
    campaign = combine(sets)
    assert campaign.score("B", "two") is None
    assert campaign.pair("B", "C").n_sets == 0
    assert campaign.pair("B", "C").p_value is None
    assert campaign.pair("A", "B").sets == ("one",)
