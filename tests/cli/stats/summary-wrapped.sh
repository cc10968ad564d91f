# Go counts a system call that still lasts, and has lost its P, twice: after 284 years its sums
# wrap around, and so do these.
sed 's/^\(EventBatch gen=2 m=104 time=\)1420/\1140000000000000000/
     /m=102 time=1030/s/size=37/size=35/; /^GoSyscallEndBlocked dt=100/d
     /m=103 time=1120/s/size=43/size=39/; /^GoStart dt=3 g=18 g_seq=2/d
     /m=103 time=1410/s/size=22/size=20/; /^GoDestroy dt=5/d
     s/^GoStatus dt=1 g=18 m=103 gstatus=2/GoStatus dt=1 g=18 m=102 gstatus=3/' "$DATA/hand.txt" >late.txt
tracepipe --sink raw -o late.trace late.txt
for fix in no yes; do
    tracepipe --sink stats:level=summary,fix=$fix late.trace |
        grep -ao '"id":18,.*"nonOverlapping":{[^}]*}'
done
