# Five hours in which nothing happens are no doubt: between two generations, or within the first
# one, whose last thread and tables are later then.
later='s/time=/time=28125000/' # in units of the clock
sed "/gen=2/$later; s/mono=89664/mono=18000000089664/; /time=281250001400/s/size=21/size=25/" "$DATA/hand.txt" >between.txt
sed "/gen=1 m=103/$later; /gen=1 m=1844.*time=13/$later; /gen=2/$later
     s/mono=89664/mono=18000000089664/; /time=281250001400/s/size=21/size=25/" "$DATA/hand.txt" >within.txt
for trace in between within; do
    tracepipe --sink raw -o $trace.trace $trace.txt
    tracepipe --sink stats:top=1 $trace.trace "$DATA/go126-user.trace" | sed -n 1,2p
    tracepipe --sink stats:format=json $trace.trace "$DATA/go126-user.trace" | grep '"inconsistent_clocks"'
done
