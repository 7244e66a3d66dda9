#!/bin/sh
# Runs the two commands of the README in fresh clones with nothing beside them: `make run` as a new user with an empty
# home and only the programs that the README asks for, then `make test` as root, with CI=true as a stranger's pipeline
# has it. The argument "run" leaves out the second. Needs root.
set -eu
cd "$(dirname "$0")/../.."
test "$(id -u)" = 0 || { echo "this makes a user of its own: run it as root" >&2; exit 1; }
git diff --quiet HEAD || echo "note: a clone has what is committed, and this tree has changes" >&2

folder=$(mktemp -d)
user=penknife-clean
port=18787
cleanup() {
  # Everything of the user that this script made.
  for process in $(ps -o pid= -u "$user" 2>/dev/null); do kill -KILL "$process" 2>/dev/null || true; done
  userdel "$user" 2>/dev/null || true
  rm -rf "$folder"
}
trap cleanup EXIT
chmod 755 "$folder"
useradd --home-dir "$folder/home" --create-home --shell /bin/sh "$user"

# node, npm, make and git, and what a POSIX system has; not curl, not strip, nothing that was installed by hand.
mkdir "$folder/bin"
for program in node npm make git sh env awk cat chmod cp dirname grep id ls mkdir mktemp mv rm sed sleep sort touch tr uname; do
  ln -s "$(command -v "$program")" "$folder/bin/$program"
done
git clone --quiet . "$folder/home/penknife"
chown -R "$user:" "$folder/home"

# Where a proxy of one's own stands before the registry, programs must know its certificate.
certificates=${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS}

echo "== make run, as $user"
su "$user" -c "cd '$folder/home/penknife' && exec env -i HOME='$folder/home' PATH='$folder/bin' $certificates \
  PENKNIFE_SERVER_PORT=$port make run" >"$folder/log" 2>&1 &
maker=$!
for _ in $(seq 180); do
  grep -q "curl " "$folder/log" && break
  kill -0 "$maker" 2>/dev/null || { cat "$folder/log"; exit 1; }
  sleep 1
done
cat "$folder/log"
# The line that it prints, as it stands.
line=$(grep -m1 "curl " "$folder/log")
test "$(sh -c "$line")" = '{"result":"{\n  \"a\": 1\n}"}' || { echo "the printed line does not work" >&2; exit 1; }
echo "== the printed line works"

test "${1:-}" = run && exit 0
echo "== make test, as root"
mkdir "$folder/alone"
git clone --quiet . "$folder/alone/penknife"
# shellcheck disable=SC2086 -- one word or none
env -i HOME="$folder/root" $certificates CI=true PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  make -C "$folder/alone/penknife" test
