# Each finding has its figures as rows, its line and its worst input; a leak loses goroutines.
cd "$DATA/../../findings/data"
tracepipe --sink stats:by=finding,format=csv 006-lock.* 009-leak.* 016-healthy-idle.* | grep ^finding
# With rows chosen otherwise they are there as well, as in JSON.
tracepipe --sink stats:by=goroutine,format=csv 006-lock.* | grep -c ^finding
tracepipe --sink stats:by=finding,format=csv 016-healthy-idle.* | grep ^finding || echo none
