#!/bin/sh
# A browser for the tests that drive one: the one that is there, else Debian's Chromium with a font for formulas.
# `--found` only says whether there is one.
set -eu

found() {
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" && return 0
    done
    return 1
}

missing() {
    echo "NO BROWSER: $1"
    echo "The tests in a browser are skipped until chromium, chromium-browser or google-chrome is on the PATH."
}

if found; then exit 0; fi
if [ "${1:-}" = "--found" ]; then missing "none was found."; exit 1; fi
if ! command -v apt-get >/dev/null; then missing "there is no apt-get here to install one with."; exit 0; fi
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null; then
    as_root="sudo"
else
    missing "installing one needs the rights of root, and there is no sudo."
    exit 0
fi

# Another program may be installing right now: its locks are waited for, five minutes. apt-get does so itself, but not for
# the lock of the lists, whatever it is told; so `update` is tried again while that one is taken.
tries=60
until said=$($as_root apt-get update --quiet -o DPkg::Lock::Timeout=300 2>&1); do
    case "$said" in *"/lists/lock"*) ;; *) tries=0 ;; esac
    if [ "$tries" -le 0 ]; then echo "$said"; exit 1; fi
    tries=$((tries - 1))
    sleep 5
done
echo "$said"
$as_root apt-get install --no-install-recommends --yes chromium fonts-dejavu-core fonts-dejavu-extra -o DPkg::Lock::Timeout=300
