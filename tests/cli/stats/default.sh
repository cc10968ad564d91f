# The main job: no sink named means stats. The bundled trace is looked at whole.
cp "$DATA/go126-user.trace" a.trace
tracepipe a.trace
