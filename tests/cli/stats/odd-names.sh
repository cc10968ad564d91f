# Names of files are data: quoted as the format asks for.
cp "$DATA/go122-chan.trace" 'a "b", c.trace'
tracepipe --sink stats:level=counts,format=csv 'a "b", c.trace' | sed -n 1,4p
tracepipe --sink stats:level=counts,format=json 'a "b", c.trace' | sed -n 1,8p
