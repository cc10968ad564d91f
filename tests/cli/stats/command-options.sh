# The command under a finding has the options that decide what is read.
cp "$DATA/../../findings/data/006-lock.trace.zst" lock.zst
for options in '' --strict '--from 0.1s --exact' '--salvage generation'; do
    tracepipe $options lock.zst >report
    grep '^   \$ ' report
done
