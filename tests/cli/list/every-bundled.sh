# A line for each trace of every release, and their sum.
cp "$DATA"/*.trace "$DATA"/v1/*.trace .
tracepipe --list ./*.trace
