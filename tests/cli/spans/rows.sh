# The rows of a trace: what began before it and what it cuts, tasks and regions, who woke whom, and a
# wait over two generations, whose stacks and texts are those of the first one.
cp "$DATA/go126-user.trace" .
tracepipe --sink spans go126-user.trace | cut -d, -f1-6,8,10- | sed -n '1,24p'
tracepipe --sink spans go126-user.trace | tail -n 1
cp "$DATA/go126-gens.trace" .
tracepipe --sink spans:state=waiting,longer=20ms go126-gens.trace
tracepipe --sink spans:format=jsonl,state=waiting,longer=20ms go126-gens.trace | sed -n 1p
# Before Go 1.22.
cp "$DATA/v1/go121-cpu.trace" .
tracepipe --sink spans go121-cpu.trace | sed -n '1,5p;$p'
