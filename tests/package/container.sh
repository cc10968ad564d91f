#!/bin/bash
# The image of the static program, loaded and run by podman, without a registry: it reads traces of a
# folder and writes beside them. Installs podman: for roots that are thrown away. Needs root.
#
#   container.sh PROGRAM SOURCE_ROOT
set -euo pipefail
program=$(realpath -e "$1") source=$(realpath -e "$2")
export DEBIAN_FRONTEND=noninteractive
apt-get -q -y --no-install-recommends install podman crun >/dev/null
dir=$(mktemp -d)
mountpoint -q /sys/fs/cgroup || mount -t cgroup2 cgroup2 /sys/fs/cgroup

"$source/tools/container" "$program" "$dir/image.tar"
"$source/tools/container" "$program" "$dir/again.tar"
cmp "$dir/image.tar" "$dir/again.tar"
# The limits are those that any machine may set.
podman() {
    command podman --root "$dir/storage" --runroot "$dir/run" --storage-driver vfs \
        --cgroup-manager cgroupfs --events-backend none "$@"
}
podman load -q -i "$dir/image.tar"
mkdir "$dir/data"
cp "$source"/tests/data/traces/go126-{gens,held-lock}.trace "$dir/data"
in_container() {
    podman run --rm --cgroups=disabled --network=none --read-only \
        --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 -v "$dir/data:/data" \
        "tracepipe:$("$program" --version | sed -n '1s/tracepipe //p')" "$@"
}
in_container --version
in_container --tz UTC --color never go126-gens.trace go126-held-lock.trace >"$dir/report"
(cd "$dir/data" && "$program" --tz UTC --color never go126-gens.trace go126-held-lock.trace) | cmp - "$dir/report"
in_container --sink zstd -o packed go126-gens.trace go126-held-lock.trace
[ -s "$dir/data/packed/go126-gens.trace.zst" ]
echo "podman runs the image, $(wc -l <"$dir/report") lines of report"
