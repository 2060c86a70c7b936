"""Checks an export of the audit log: ops audit export > audit.jsonl; python3 check_export.py < audit.jsonl"""

import hashlib
import json
import sys

rows, seal = [], None
for line in sys.stdin.buffer:
    record = json.loads(line)
    if "seal" not in record:
        rows.append(line)
        continue
    before, seal = seal, record
    own = f"{seal['seal']} {seal['firstId']} {seal['lastId']} {seal['rows']} {seal['sealedAt']}\n"
    text = f"{seal['previousHash']}\n".encode() + b"".join(rows) + own.encode()
    follows = before is None or (before["hash"], int(before["seal"]) + 1) == (seal["previousHash"], int(seal["seal"]))
    if not follows or len(rows) != seal["rows"] or hashlib.sha256(text).hexdigest() != seal["hash"]:
        sys.exit(f"seal {seal['seal']} does not match its rows or the seal before")
    rows = []
print(f"newest seal {seal['seal']}:{seal['hash']}" if seal else "no seal", f"rows after it: {len(rows)}", sep="\n")
