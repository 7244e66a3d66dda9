#!/bin/sh
# Makes sure that the programs which tests call are there. As root on Debian it installs them; elsewhere it says what to type.
set -eu
missing=""
# Where servers are, and where not every user looks.
PATH=$PATH:/usr/sbin
while read -r program package; do
  command -v "$program" >/dev/null 2>&1 || missing="$missing $package"
done <<LIST
buildah buildah
curl curl
ent ent
git git
gojq gojq
gron gron
jq jq
mlr miller
fish fish
mandoc mandoc
nginx nginx
openssl openssl
pre-commit pre-commit
protoc protobuf-compiler
pup pup
rsync rsync
sqlite3 sqlite3
patch patch
strace strace
strip binutils
xmllint libxml2-utils
yq yq
zsh zsh
LIST
test -e /etc/ssl/certs/ca-certificates.crt || missing="$missing ca-certificates"
test -e /usr/share/bash-completion/bash_completion || missing="$missing bash-completion"
test -e /usr/share/zoneinfo || missing="$missing tzdata"
# Either of the two will do; Debian has changed from one to the other.
command -v redis-server >/dev/null 2>&1 || command -v valkey-server >/dev/null 2>&1 || missing="$missing redis-server"
# A browser is large: without one its tests are left out, and say so.
browser=" chromium"
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then browser=""; fi
done
test -z "$missing$browser" && exit 0
if test "$(id -u)" = 0 && test -e /etc/debian_version; then
  export DEBIAN_FRONTEND=noninteractive
  # Debian starts a server as soon as it is installed; these are started by tests, each on a port of its own.
  if ! test -e /usr/sbin/policy-rc.d; then
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    trap 'exit 130' INT TERM
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
    chmod 755 /usr/sbin/policy-rc.d
  fi
  apt-get update -qq </dev/null
  # It takes a third of the processor time of the whole browser.
  if test -n "$browser" && apt-cache show chromium-headless-shell >/dev/null 2>&1; then
    browser=" chromium-headless-shell"
  fi
  # shellcheck disable=SC2086 -- a list of words
  apt-get install -qq -y --no-install-recommends $missing$browser </dev/null >/dev/null
elif test -z "$missing"; then
  echo "note: pages are not tried in a browser without one: sudo apt-get install -y --no-install-recommends$browser" >&2
else
  echo "the tests need more programs: sudo apt-get install -y --no-install-recommends$missing$browser" >&2
  exit 1
fi
