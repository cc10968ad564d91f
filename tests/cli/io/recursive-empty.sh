# A folder without files is no error, and nothing to report.
mkdir empty
tracepipe -r --sink text empty
