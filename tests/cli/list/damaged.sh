# What is lost is said; what is left is listed.
head -c 9000 "$DATA/go126-gens.trace" >cut.trace
"$SYNTH" --seed 11 --generations 4 --insert-at 50000 --insert-len 777 >in.trace
{ head -c 5425 "$DATA/v1/go111-gc.trace" && printf '\377\377\377' && tail -c +5426 "$DATA/v1/go111-gc.trace"; } >old.trace
tracepipe --list cut.trace in.trace old.trace
