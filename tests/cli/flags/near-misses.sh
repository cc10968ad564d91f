# What was probably meant is asked.
touch events
tracepipe --hepl || echo $?
tracepipe --format json a.trace || echo $?
tracepipe --by=trace a.trace || echo $?
tracepipe --batches a.trace || echo $?
tracepipe --sink stat a.trace || echo $?
tracepipe --sink stats:formt=json a.trace || echo $?
tracepipe --sink html a.trace || echo $?
tracepipe stats a.trace || echo $?
tracepipe stats:by=trace a.trace || echo $?
tracepipe a.trace stats || echo $?
tracepipe --sink footprint events || echo $?
echo 'a variable that is not set'
tracepipe --from '' a.trace || echo $?
tracepipe --to '' a.trace || echo $?
