import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
BODY_BYTES_MAX = 1_000_000


def read_keys(secrets):
    """The keys of "whsec_..." texts that are separated by blanks: one, or two during a rotation."""
    texts = [text[6:] if text.startswith("whsec_") else text for text in secrets.split()]
    keys = [base64.b64decode(text, validate=True) for text in texts]
    # A forgotten setting must not become an empty key that any sender can sign with.
    if not keys or any(len(key) < 24 for key in keys):
        raise SystemExit("WEBHOOK_SECRETS must hold whsec_ secrets")
    return keys


def is_genuine(keys, headers, body):
    """Whether one of the keys signed the webhook, within the tolerance. The body is as it arrived."""
    webhook_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "")
    if not webhook_id or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False

    signed = f"{webhook_id}.{timestamp}.".encode() + body
    digests = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    expected = [b"v1," + base64.b64encode(digest) for digest in digests]
    # Signatures of a kind that is not known here ("v1a,...") match nothing and do no harm.
    offered = [signature.encode() for signature in signatures.split(" ")]
    return any(hmac.compare_digest(one, other) for one in expected for other in offered)


class Receiver(BaseHTTPRequestHandler):
    keys = read_keys(os.environ.get("WEBHOOK_SECRETS", ""))
    protocol_version = "HTTP/1.1"
    timeout = 15

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch(r"[0-9]{1,9}", length):
            return self.answer(411)
        if int(length) > BODY_BYTES_MAX:
            return self.answer(413)
        body = self.rfile.read(int(length))
        if not is_genuine(self.keys, self.headers, body):
            return self.answer(401)
        event = json.loads(body)
        # Store the event under its id here, unless it is there already, and work on it afterwards.
        print(event["id"], event["type"], flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", "0")
        if status >= 400:
            # Of a refused request bytes may be left unread: its connection must not serve again.
            self.send_header("connection", "close")
        self.end_headers()

    def log_message(self, *_arguments):
        pass


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "3000"))
    ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
