#!/bin/sh
# Makes a release in dist/ and tries it as users will install it. docs/contributing/releases.md says how to use it.
#
#   deploy/release.sh              of the commit that is checked out
#   deploy/release.sh --rehearse   the same, where the changelog has no date yet
set -eu
unset PYTHONPATH VIRTUAL_ENV
fail() { echo "Not ready: $1" >&2; exit 1; }

cd "$(dirname "$0")/.."
target=$PWD/dist
python=$(command -v python) # of the environment with requirements-release.lock
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "${1-}" != --rehearse ]; then
    [ -z "$(git status --porcelain)" ] || fail "something is not committed"
    grep -m 1 '^## ' CHANGELOG.md | grep -Eq '\([0-9]{4}(-[0-9]{2}){2}\)$' || fail "CHANGELOG.md: the first heading has no date"
    grep -qx '\[project\.urls\]' pyproject.toml || fail "pyproject.toml has no [project.urls]"
    ! grep -q 'no public address yet' SECURITY.md || fail "SECURITY.md does not say where to report"
    for said in date-released repository-code; do
        grep -q "^$said: " CITATION.cff || fail "CITATION.cff has no $said"
    done
fi

# The source distribution of the commit and the wheel from it, twice: equal commits give equal bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
for build in first second; do
    mkdir -p "$work/$build/sources"
    git archive HEAD | tar -x -C "$work/$build/sources"
    uv build --quiet --no-build-isolation --python "$python" --out-dir "$work/$build/made" "$work/$build/sources"
done
cd "$work/first/made"
for file in *.tar.gz *.whl; do
    cmp "$file" "$work/second/made/$file" || fail "two builds of one commit differ"
done
twine check --strict ./*.tar.gz ./*.whl
wheel=$(ls "$PWD"/*.whl)
cd ../sources
root=$PWD

install() { uv pip install --quiet --python "$env/bin/python" "$@"; }
bleuscope() { "$env/bin/python" -m bleuscope "$@"; }

# A new environment with the engine or the dashboard ($1), with the oldest versions allowed, the newest, or the tested ones ($2).
install_in_new_environment() {
    echo "Trying the $1 with versions: $2"
    env=$work/$1-$2
    [ "$1" = engine ] && extra=commands || extra=dashboard
    uv venv --quiet --python "$python" "$env"
    case $2 in
    newest) install "$wheel[$extra]" ;;
    oldest) # of what pyproject.toml asks for itself
        uv pip compile --quiet --resolution lowest-direct --output-file "$env/oldest.txt" \
            --extra "$extra" pyproject.toml
        install --requirements "$env/oldest.txt"
        install --no-deps "$wheel"
        ;;
    lock)
        install --require-hashes --no-deps --requirements requirements.lock
        install --no-deps "$wheel"
        ;;
    esac
}

# Scores, a comparison, a report and a page, in a folder that has folders of the user's with names like ours.
try_out() {
    for name in dashboard workspace tests; do
        mkdir -p "$env/trial/$name"
        echo 'raise ImportError("this is the folder of a user")' > "$env/trial/$name/__init__.py"
    done
    cd "$env/trial"
    export BLEUSCOPE_WORKSPACE="$env/trial/kept"
    "$env/bin/python" -c 'from bleucore import ChrfOptions, System, TestSet, evaluate
evaluate(TestSet([System("one", ["a b c d"])], [["a b c e"]]), metrics=[ChrfOptions()])'
    bleuscope score --sample
    bleuscope compare --sample > compared
    if [ "$1" = engine ]; then
        ! "$env/bin/python" -c 'import streamlit' 2> /dev/null || fail "the engine alone brought Streamlit along"
    else
        bleuscope report --sample -o report.html
        [ "$(wc -c < report.html)" -gt 1000000 ] || fail "the report lacks something" # Plotly alone is larger
        answer_a_request
    fi
    cd "$root"
}

answer_a_request() {
    "$env/bin/python" -u -m bleuscope demo --no-browser --no-workspace --port 8599 > served 2>&1 &
    server=$!
    for _ in $(seq 60); do
        token=$(sed -n 's/.*token=\([^[:space:]]*\).*/\1/p' served | head -n 1)
        [ -z "$token" ] || break
        sleep 1
    done
    status=0
    curl --silent --show-error --fail --retry 20 --retry-delay 1 --retry-all-errors --max-time 60 --header "Authorization: Bearer $token" http://127.0.0.1:8599/_stcore/health || status=$?
    kill $server || true
    [ $status = 0 ] || fail "the server does not answer: $(cat served)"
    echo
}

for of in 'engine oldest' 'dashboard oldest' 'engine newest' 'dashboard lock'; do
    # shellcheck disable=SC2086  # two words
    install_in_new_environment $of
    try_out "${of% *}"
done

mkdir -p "$target"
cd "$work/first/made"
parts=$(basename "$wheel" | cut -d - -f 1,2).cdx.json
cyclonedx-py environment --output-reproducible --pyproject "$root/pyproject.toml" --output-file "$parts" "$env/bin/python"
sha256sum ./*.tar.gz ./*.whl "$parts" | sed 's,\./,,' > SHA256SUMS
cp ./*.tar.gz ./*.whl "$parts" SHA256SUMS "$target"
ls "$target"
