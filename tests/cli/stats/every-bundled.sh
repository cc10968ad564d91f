cp "$DATA"/*.trace .
tracepipe --sink stats:level=counts,format=csv ./*.trace
