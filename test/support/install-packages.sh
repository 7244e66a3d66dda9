#!/bin/sh
# Installs what package-lock.json in a folder of tests names, unless it is installed: tools that only some tests need are
# packages of their own beside those tests. It needs npm alone, so that it can run beside the installation of penknife's own
# packages. Two calls for one folder must not overlap, because `npm ci` begins by removing the installed packages.
# usage: test/support/install-packages.sh [FOLDER ...]; without folders, those of `make test`
set -u
cd "$(dirname "$0")/../.."

if test $# = 0; then
  set -- \
    test/system/ci \
    test/system/config/operating \
    test/system/e2e/browser \
    test/system/lib/cel/oracle \
    test/system/lib/compose/oracle \
    test/system/lib/dockerfile/oracle \
    test/system/lib/editorconfig/oracle \
    test/system/lib/github-actions/oracle \
    test/system/lib/jq/oracle \
    test/system/lib/json/oracle \
    test/system/lib/kubernetes/oracle \
    test/system/lib/ruleset/oracle \
    test/system/lib/schemas/oracle \
    test/system/lib/spdx/oracle \
    test/system/lib/xpath/oracle \
    test/system/openapi \
    test/system/reports \
    test/system/sarif \
    test/system/services/access/oidc \
    test/system/services/webhooks/verifiers \
    test/system/surfaces/graphql/clients \
    test/system/surfaces/lsp/client \
    test/system/surfaces/mcp/clients
fi

install_package() {
  lock=$1/package-lock.json
  installed=$1/node_modules/.installed-lock.json
  # A copy of a part of the source has a part of the folders.
  if ! test -e "$lock" || cmp -s "$lock" "$installed"; then return; fi
  rm -f "$installed"
  # Some packages ask for a newer Node than the one that runs npm here, and get it.
  (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --prefer-offline --loglevel=error >/dev/null) &&
    cp "$lock" "$installed" && return
  echo "$1 was not installed; the tests that need it will fail" >&2
  return 1
}

jobs=""
for folder; do
  install_package "$folder" &
  jobs="$jobs $!"
done
status=0
for job in $jobs; do wait "$job" || status=1; done
exit "$status"
