tracepipe -h
