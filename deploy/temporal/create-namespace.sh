#!/bin/sh
# Makes the namespace with seven days of retention, where there is none.
set -eu

attempt=0
until temporal operator cluster health; do
  attempt=$((attempt + 1))
  [ "$attempt" -lt 30 ] || { echo 'the Temporal server does not answer' >&2; exit 1; }
  sleep 2
done
temporal operator namespace describe -n "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create -n "$TEMPORAL_NAMESPACE" --retention 168h
