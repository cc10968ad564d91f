#!/usr/bin/python3
"""schema_rules.py SCHEMA...: says where a schema breaks a rule of tracepipe-sinks(7), JSON.

In one document a key has values of one type, null aside. Objects list their keys, so none is a name
out of a trace. A time of day in nanoseconds has the same as RFC 3339 beside it.
"""
import json
import pathlib
import re
import sys

RFC_3339 = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{9}Z$"


class Document:
    def __init__(self, path):
        self.path = path
        self.root = json.loads(path.read_text())
        self.types = {}  # of each key: {type: where}
        self.seen = set()
        self.complaints = []

    def complain(self, where, words):
        self.complaints.append(f"{self.path.name}: {where or 'document'}: {words}")

    def resolved(self, schema):
        while "$ref" in schema:
            node = self.root
            for part in schema["$ref"].removeprefix("#/").split("/"):
                node = node[part]
            schema = node
        return schema

    def types_of(self, schema):
        """Returns the types that a value of a schema may have, but null."""
        schema = self.resolved(schema)
        found = set()
        if "type" in schema:
            named = schema["type"]
            found.update(named if isinstance(named, list) else [named])
        elif "enum" in schema or "const" in schema:
            found.update({str: "string", bool: "boolean", int: "integer"}[type(value)]
                         for value in schema.get("enum", [schema.get("const")]))
        for one in schema.get("anyOf", []):
            found |= self.types_of(one)
        return found - {"null"}

    def look(self, schema, where):
        schema = self.resolved(schema)
        if id(schema) in self.seen:
            return
        self.seen.add(id(schema))
        if "properties" in schema and "object" in str(schema.get("type")):
            self.look_at_object(schema, where)
        if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
            self.complain(where, "takes keys that it does not list")
        if "items" in schema:
            self.look(schema["items"], where + "[]")
        for one in schema.get("anyOf", []):
            self.look(one, where)

    def look_at_object(self, schema, where):
        keys = schema["properties"]
        for key, value in keys.items():
            here = f"{where}.{key}"
            types = self.types_of(value)
            if len(types) != 1:
                self.complain(here, f"types {sorted(types)}")
            for one in types:
                self.types.setdefault(key, {}).setdefault(one, here)
            wall = re.fullmatch(r"(wall_.*)_ns", key)
            if wall and self.resolved(keys.get(wall[1], {})).get("pattern") != RFC_3339:
                self.complain(here, f"no RFC 3339 in {wall[1]}")
            self.look(value, here)

    def check(self):
        self.look(self.root, "")
        for key, places in self.types.items():
            if len(places) > 1:
                self.complain(key, f"several types: {places}")
        return self.complaints


found = [words for path in sys.argv[1:] for words in Document(pathlib.Path(path)).check()]
print("".join(words + "\n" for words in found), end="")
sys.exit(len(found) > 0 or len(sys.argv) < 2)
