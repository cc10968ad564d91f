#!/usr/bin/python3
"""validate.py SCHEMA DOCUMENT...: says which are not as the schema wants them."""
import json
import sys

import jsonschema

with open(sys.argv[1]) as f:
    schema = json.load(f)
validator = jsonschema.validators.validator_for(schema)
validator.check_schema(schema)
checker = validator(schema)
failed = False
for path in sys.argv[2:]:
    with open(path, errors="surrogateescape") as f:
        document = json.load(f)
    for error in sorted(checker.iter_errors(document), key=str)[:5]:
        print(path, list(error.absolute_path), error.message[:200])
        failed = True
sys.exit(1 if failed else 0)
