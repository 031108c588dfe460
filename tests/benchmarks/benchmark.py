"""Everything that is claimed about speed and memory, measured in one run: ``make benchmark``."""

import os

import benchmark_chrf
import benchmark_growth
import benchmark_resampling
import benchmark_scores


def main() -> None:
    """Run every benchmark in turn."""
    print(f"{os.cpu_count()} cores\n")
    for program in (benchmark_scores, benchmark_resampling, benchmark_chrf, benchmark_growth):
        program.main()
        print(flush=True)


if __name__ == "__main__":
    main()
