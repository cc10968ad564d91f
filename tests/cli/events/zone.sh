# The wall clock of Sync events: in UTC unless asked.
cp "$DATA/go126-user.trace" a.trace
sync() {
    tracepipe --sink "$1" a.trace >out
    sed -n 's/.* Wall=//p' out
}
sync events
sync events:tz=UTC
sync events:tz=Asia/Tokyo
TZ=Asia/Tokyo sync events
TZ=Asia/Tokyo sync events:tz=local
TZ=America/St_Johns sync events:tz=local
TZ= sync events:tz=local
