"""build_times.py NINJA_LOG SINCE: prints how many seconds the steps of a build took in sum, and the ten slowest steps.

NINJA_LOG is BUILD/.ninja_log; SINCE is the time that the build began, in seconds since 1970. Prints nothing where
nothing was built."""
import sys


def steps(log, since):
    """[(seconds, output)] of each step of a build that ended after `since`. A step with several outputs counts once."""
    found = {}
    with open(log, encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) != 5:  # the header
                continue
            start, end, written, output, command = fields
            if int(written) / 1e9 >= since:
                found[command] = ((int(end) - int(start)) / 1000, output)
    return sorted(found.values(), reverse=True)


def main():
    ran = steps(sys.argv[1], float(sys.argv[2]))
    if not ran:
        return
    print(f"{len(ran)} build steps, {sum(seconds for seconds, _ in ran):.0f} s in all; the slowest:")
    for seconds, output in ran[:10]:
        print(f"{seconds:7.1f} s  {output}")


main()
