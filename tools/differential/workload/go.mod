module tracepipe/differential/workload

go 1.22
