#!/bin/sh
# Builds the image penknife:VERSION with whatever builds images here.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
commit=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
set -- --build-arg "COMMIT=$commit" --tag "penknife:$version" --tag penknife:latest "$@" .

# OCI images have no health check: hence the format. Docker's client may be there without an engine.
if docker info >/dev/null 2>&1; then
  exec docker build "$@"
elif command -v podman >/dev/null; then
  exec podman build --format docker "$@"
elif command -v buildah >/dev/null; then
  exec buildah build --format docker "$@"
fi
echo "an image is built with docker (with its engine running), podman or buildah: none is here" >&2
exit 1
