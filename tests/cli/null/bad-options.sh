tracepipe --sink null:until=lunch "$DATA/go126-user.trace"
