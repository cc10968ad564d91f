: >empty
tracepipe --sink raw empty
