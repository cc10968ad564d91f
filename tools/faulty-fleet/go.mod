module tracepipe/faulty-fleet

go 1.22
