#!/bin/sh
# Gathers the image's file system: image-root.sh EXECUTABLE FOLDER, on the glibc system whose libraries are to be used.
set -eu
executable=$1
root=$2

mkdir -p "$root/usr/bin" "$root/etc/ssl/certs" "$root/usr/share" "$root/tmp"
chmod 1777 "$root/tmp"
cp "$executable" "$root/usr/bin/penknife"

# The loader and every library that the executable names, libatomic among them, where the loader will look for them.
if ldd "$executable" | grep "not found" >&2; then
  echo "install these libraries in the build stage (libatomic is in Debian's libatomic1)" >&2
  exit 1
fi
for library in $(ldd "$executable" | grep -o '/[^ )]*'); do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done

for file in /etc/ssl/certs/ca-certificates.crt /usr/share/zoneinfo; do
  test -e "$file" || { echo "$file is missing: install ca-certificates and tzdata in the build stage" >&2; exit 1; }
done
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
cp -RL /usr/share/zoneinfo "$root/usr/share/"
echo "hosts: files dns" > "$root/etc/nsswitch.conf"
echo "root:x:0:0:root:/:/nologin
penknife:x:65532:65532:penknife:/data:/nologin" > "$root/etc/passwd"
echo "root:x:0:
penknife:x:65532:" > "$root/etc/group"
