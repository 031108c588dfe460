"""Everything that is claimed about speed and memory, measured in one run: ``make benchmark``."""

import os

import benchmark_checks
import benchmark_chrf
import benchmark_growth
import benchmark_resampling
import benchmark_scores
import benchmark_ter
from side_by_side import parsed_arguments


def main() -> None:
    """Run every benchmark in turn."""
    arguments = parsed_arguments(__doc__)
    print(f"{os.cpu_count()} cores\n")
    # Growth first: the peak memory of a process is at least that of the one that started it.
    for program in (
        benchmark_growth,
        benchmark_scores,
        benchmark_resampling,
        benchmark_chrf,
        benchmark_ter,
        benchmark_checks,
    ):
        program.main(arguments)
        print(flush=True)


if __name__ == "__main__":
    main()
