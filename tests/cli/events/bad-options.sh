for sink in events:task=0 events:task=99999999999999999999 'events:function=a(' 'events:function=a{2,3}' \
    'events:function=(a{99}){99}' events:goroutine=x events:goroutine=-1 \
    events:format=xml events:time=now events:model=v1,task=7 \
    events:model=v1,function=f events:model=v1,format=line events:model=v1,time=wall \
    events:tz=Mars events:tz= events:zone=UTC events:tz=UTC,tz=UTC events:tz=../passwd; do
    tracepipe --sink "$sink" "$DATA/go126-user.trace" >/dev/null || echo "$sink: $?"
done
