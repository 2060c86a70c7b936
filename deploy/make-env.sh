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
web=$(password)
chain=$(password)
cat <<END
POSTGRES_PASSWORD=$(password)
OWNER_PASSWORD=$owner
SERVICE_PASSWORD=$service
WEB_PASSWORD=$web
CHAIN_PASSWORD=$chain
TEMPORAL_POSTGRES_PASSWORD=$(password)
DATABASE_URL=postgres://causeway_service:$service@postgres:5432/causeway
WEB_DATABASE_URL=postgres://causeway_web:$web@postgres:5432/causeway
CHAIN_DATABASE_URL=postgres://causeway_signer:$chain@postgres:5432/causeway
MIGRATION_DATABASE_URL=postgres://causeway_owner:$owner@postgres:5432/causeway
ENCRYPTION_KEYS=1:$(key)
PEPPER=$(key)
TEST_CHAIN_SIGNERS_SECRET=$(key)
TEST_BANK_CALLBACK_SECRET=whsec_$(key)
TEST_KYC_CALLBACK_SECRET=whsec_$(key)
END
