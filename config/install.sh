#!/bin/sh
# Installs what `make build` made below $DESTDIR$PREFIX, or removes it with --uninstall.
set -eu
cd "$(dirname "$0")/.."
to=${DESTDIR:-}${PREFIX:-/usr/local}
share="man/man1 bash-completion/completions zsh/site-functions fish/vendor_completions.d"

if test "${1:-}" = --uninstall; then
  rm -f "$to/bin/penknife" "$to"/share/man/man1/penknife.1 "$to"/share/man/man1/penknife-*.1 \
    "$to/share/bash-completion/completions/penknife" "$to/share/zsh/site-functions/_penknife" \
    "$to/share/fish/vendor_completions.d/penknife.fish"
  rm -rf "$to/share/doc/penknife"
  # Empty folders of a package go too; those of a system stay.
  if test -n "${DESTDIR:-}" && test -d "$DESTDIR"; then find "$DESTDIR" -mindepth 1 -depth -type d -empty -delete; fi
  exit 0
fi

install -d "$to/bin" "$to/share/doc/penknife/examples"
# The running executable cannot be overwritten, but replaced.
install -m 755 dist/penknife "$to/bin/penknife.new"
mv -f "$to/bin/penknife.new" "$to/bin/penknife"
for folder in $share; do
  install -d "$to/share/$folder"
  install -m 644 dist/share/"$folder"/* "$to/share/$folder/"
done
install -m 644 LICENSE README.md CHANGELOG.md SECURITY.md "$to/share/doc/penknife/"
install -m 644 config/penknife.yaml config/penknife.service "$to/share/doc/penknife/examples/"
echo "penknife is in $to/bin; an example of its configuration is in $to/share/doc/penknife/examples"
