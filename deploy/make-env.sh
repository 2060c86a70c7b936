#!/bin/sh
# Writes what docker-compose.yml needs to stay secret, each made anew: (umask 077 && sh deploy/make-env.sh > .env)
# Once: the passwords are taken over when the database is made, and what ENCRYPTION_KEYS has sealed
# opens with nothing else.
set -eu

# 32 random bytes.
key() { openssl rand -base64 32; }
# Without characters that a URL would have to escape.
password() { openssl rand -hex 24; }

owner=$(password)
service=$(password)
dashboard=$(password)
console=$(password)
ops=$(password)
chain=$(password)
cat <<END
POSTGRES_PASSWORD=$(password)
OWNER_PASSWORD=$owner
SERVICE_PASSWORD=$service
DASHBOARD_PASSWORD=$dashboard
CONSOLE_PASSWORD=$console
OPS_PASSWORD=$ops
CHAIN_PASSWORD=$chain
TEMPORAL_POSTGRES_PASSWORD=$(password)
DATABASE_URL=postgres://causeway_service:$service@postgres:5432/causeway
DASHBOARD_DATABASE_URL=postgres://causeway_dashboard_login:$dashboard@postgres:5432/causeway
CONSOLE_DATABASE_URL=postgres://causeway_console_login:$console@postgres:5432/causeway
OPS_DATABASE_URL=postgres://causeway_ops_login:$ops@postgres:5432/causeway
CHAIN_DATABASE_URL=postgres://causeway_signer:$chain@postgres:5432/causeway
MIGRATION_DATABASE_URL=postgres://causeway_owner:$owner@postgres:5432/causeway
ENCRYPTION_KEYS=1:$(key)
PEPPER=$(key)
TEST_CHAIN_SIGNERS_SECRET=$(key)
TEST_BANK_CALLBACK_SECRET=whsec_$(key)
TEST_KYC_CALLBACK_SECRET=whsec_$(key)
END
