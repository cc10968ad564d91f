cp "$DATA"/*.trace .
tracepipe --sink stats:format=csv ./*.trace
