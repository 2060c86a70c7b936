#!/bin/sh
# Makes and updates the two databases of the Temporal server. Safe to run at every start.
set -eu

sql() { temporal-sql-tool --plugin postgres12 --ep "$POSTGRES_SEEDS" -p "$DB_PORT" -u "$POSTGRES_USER" "$@"; }

setup() {
  database=$1
  schema=$2
  # `create` and `setup-schema` fail where an earlier run has done them; `update-schema` tells.
  sql --db "$database" create || true
  sql --db "$database" setup-schema -v 0.0 || true
  sql --db "$database" update-schema -d "/etc/temporal/schema/postgresql/v12/$schema/versioned"
}

setup temporal temporal
setup temporal_visibility visibility
