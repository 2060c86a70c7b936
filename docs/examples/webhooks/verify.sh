#!/bin/sh
# Says whether a webhook is genuine: exit code 0 if it is, 1 if not, 2 where WEBHOOK_SECRETS cannot be used.
# The body comes on standard input, as it arrived. The rest comes in the environment: WEBHOOK_ID,
# WEBHOOK_TIMESTAMP and WEBHOOK_SIGNATURE are the three headers, WEBHOOK_SECRETS one "whsec_..." text, or
# two during a rotation, separated by a blank.
# To look into a problem, not to serve: openssl takes keys as arguments, and every user of the machine sees those.
set -eu
set -f # A star in a header must not become the names of files.

TOLERANCE_SECONDS=300
BODY_BYTES_MAX=1000000

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

hmac() { # $1: the key in hexadecimal. Signs standard input.
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" -binary | openssl base64 -A
}

# The time that a comparison of these takes tells nothing of the texts.
comparison_key=$(openssl rand -hex 32)
is_equal() {
  [ "$(printf %s "$1" | hmac "$comparison_key")" = "$(printf %s "$2" | hmac "$comparison_key")" ]
}

is_number() {
  case $1 in '' | *[!0-9]* | ?????????????*) return 1 ;; esac
}

keys=
for secret in ${WEBHOOK_SECRETS:-}; do
  key=$(printf %s "${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
  # A forgotten setting must not become an empty key that any sender can sign with.
  if [ "${#key}" -lt 48 ]; then
    echo 'WEBHOOK_SECRETS must hold whsec_ secrets' >&2
    exit 2
  fi
  keys="$keys $key"
done
if [ -z "$keys" ]; then
  echo 'WEBHOOK_SECRETS is not set' >&2
  exit 2
fi

id=${WEBHOOK_ID:-} timestamp=${WEBHOOK_TIMESTAMP:-} signatures=${WEBHOOK_SIGNATURE:-}
[ -n "$id" ] || exit 1
is_number "$timestamp" || exit 1
# test compares decimally, where arithmetic would read a leading zero as octal.
now=$(date +%s)
[ "$timestamp" -ge "$((now - TOLERANCE_SECONDS))" ] || exit 1
[ "$timestamp" -le "$((now + TOLERANCE_SECONDS))" ] || exit 1

{ printf '%s.%s.' "$id" "$timestamp" && head -c "$BODY_BYTES_MAX"; } >"$folder/signed"
genuine=1
for key in $keys; do
  expected="v1,$(hmac "$key" <"$folder/signed")"
  # Signatures of a kind that is not known here ("v1a,...") match nothing and do no harm.
  for signature in $signatures; do
    if is_equal "$expected" "$signature"; then genuine=0; fi
  done
done
exit "$genuine"
