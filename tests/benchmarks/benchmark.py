"""Everything that is claimed about speed and memory, measured in one run: ``make benchmark``."""

import argparse
import os

import benchmark_checks
import benchmark_chrf
import benchmark_growth
import benchmark_resampling
import benchmark_scores
import benchmark_ter
from side_by_side import LEAST_REPEATS, parsed_arguments


def main() -> None:
    """Run every benchmark in turn."""
    arguments = parsed_arguments(__doc__)
    print(f"{os.cpu_count()} cores\n")
    few = argparse.Namespace(**vars(arguments) | {"repeats": min(arguments.repeats, LEAST_REPEATS)})
    # Growth first: the peak memory of a process is at least that of the one that started it.
    for program, given in (
        (benchmark_growth, few),
        (benchmark_scores, arguments),
        (benchmark_resampling, arguments),
        (benchmark_chrf, arguments),
        (benchmark_ter, arguments),
        (benchmark_checks, few),
    ):
        program.main(given)
        print(flush=True)


if __name__ == "__main__":
    main()
