#!/bin/sh
# Makes sure that the programs which tests call are there. As root on Debian it installs them; elsewhere it says what to type.
set -eu
missing=""
while read -r program package; do
  command -v "$program" >/dev/null 2>&1 || missing="$missing $package"
done <<LIST
buildah buildah
curl curl
debootstrap debootstrap
openssl openssl
strip binutils
LIST
test -z "$missing" && exit 0
if test "$(id -u)" = 0 && test -e /etc/debian_version; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq </dev/null
  # shellcheck disable=SC2086 -- a list of words
  apt-get install -qq -y --no-install-recommends $missing </dev/null >/dev/null
else
  echo "the tests need more programs: sudo apt-get install -y --no-install-recommends$missing" >&2
  exit 1
fi
