"""`python -I -S <this file> claude-code`: the hook, started without site-packages, which is most of a start's time."""

import sys

if not __package__:  # run by its path in isolated mode: our own folder is not on the path then
    sys.path.append(__file__.rsplit("/", 2)[0])


def main() -> None:
    """Runs the hook that the first word names, and ends the process with exit code 0."""
    if sys.argv[1:2] == ["user-prompt"]:
        from habitus_hook import prompt

        prompt.main()
    else:
        from habitus_hook import teardown

        teardown.main()


if __name__ == "__main__":
    main()
