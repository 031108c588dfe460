#!/bin/sh
# Builds both images, starts each as Compose and a Space do, asks for a page, makes a backup, and stops it. With rootless
# podman, or Docker; it takes minutes.
#   deploy/try_image.sh                                   Python's image as it is pinned
#   deploy/try_image.sh --build-arg PYTHON_IMAGE=NAME     any other options of the build
# RUN_OPTIONS has more options for starting, such as --network=host.
set -eu
fail() { echo "Not ready: $1" >&2; exit 1; }

cd "$(dirname "$0")/.."
engine=${ENGINE:-$(command -v podman || command -v docker)} || fail "neither podman nor docker is there"
case $engine in *podman) form='--format docker' ;; *) form='' ;; esac # in which podman keeps the health check
name=bleuscope-trial-$$
most=900000000
trap '$engine rm --force --volumes $name > /dev/null 2>&1; $engine volume rm --force $name-data $name-backups > /dev/null 2>&1' EXIT
BLEUSCOPE_TOKEN=$name
export BLEUSCOPE_TOKEN

build() { # a file and a tag, then options
    file=$1 tag=$2
    shift 2
    # shellcheck disable=SC2086  # no word, or two
    $engine build $form --file "$file" --tag "$tag" "$@" .
    size=$($engine image inspect --format '{{.Size}}' "$tag")
    echo "$tag has $((size / 1000000)) MB"
    [ "$size" -lt $most ] || fail "$tag has $size bytes, and $most are the most"
}

start() {
    # shellcheck disable=SC2086  # words
    $engine run --detach --name "$name" --init --read-only --tmpfs /tmp:size=1g,mode=1777 --cap-drop=ALL \
        --security-opt=no-new-privileges ${RUN_OPTIONS-} "$@" > /dev/null
}

answers() { # a port and the beginning of a page
    $engine exec "$name" python -c 'import os, sys, time, urllib.request
port, page, wanted = sys.argv[1:]
head = {"Authorization": "Bearer " + os.environ.get("BLEUSCOPE_TOKEN", "")}
for _ in range(240):
    try:
        with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}{page}", headers=head), timeout=60) as answer:
            sys.exit(wanted not in answer.read().decode())
    except OSError as error:
        last = error
        time.sleep(0.5)
sys.exit(f"no answer: {last}")' "$@" || { $engine logs "$name" >&2; fail "the page $2 does not come"; }
}

stop() { # the exit code that is expected
    $engine stop --time 30 "$name" > /dev/null
    code=$($engine inspect --format '{{.State.ExitCode}}' "$name")
    [ "$code" = "$1" ] || fail "stopped with $code"
    $engine rm "$name" > /dev/null
}

build deploy/Dockerfile bleuscope:trial "$@"
start --env BLEUSCOPE_TOKEN --volume "$name-data:/data" --volume "$name-backups:/backups" bleuscope:trial
answers 8501 /overview bleuscope
$engine exec "$name" python /opt/bleuscope/health.py
$engine exec "$name" bleuscope workspace backup /backups --keep 2
[ "$($engine exec "$name" id -u)" = 10001 ] || fail "it does not run as its own user"
! $engine exec "$name" touch /opt/bleuscope/x 2> /dev/null || fail "its root can be written"
stop 0

build deploy/space/Dockerfile bleuscope-demo:trial "$@"
start bleuscope-demo:trial
answers 7860 /overview bleuscope
[ "$($engine exec "$name" id -u)" = 1000 ] || fail "the demo does not run as the user of Spaces"
stop 143 # Streamlit's own, which ends by the signal
echo 'Both images are well.'
