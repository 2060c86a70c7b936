-- Runs once, by psql as superuser, in the new database `causeway`. Passwords come from the environment.
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
\getenv dashboard_password DASHBOARD_PASSWORD
\getenv console_password CONSOLE_PASSWORD
\getenv ops_password OPS_PASSWORD
\getenv chain_password CHAIN_PASSWORD
\getenv temporal_password TEMPORAL_PASSWORD

-- The group roles that the migrations grant rights to. Made here, so that they can be handed out
-- before the first migration has run.
CREATE ROLE causeway_app NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_system NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_dashboard NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_entry NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_effects NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_console NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_ops NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_chain NOLOGIN NOBYPASSRLS;
-- No login is a member for good: docs/how-to/operate.md, "Rotate encryption keys".
CREATE ROLE causeway_resealer NOLOGIN NOBYPASSRLS;
-- They own the functions that run with more rights than their caller's. No login is to be a member of them.
CREATE ROLE causeway_system_definer NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_console_definer NOLOGIN NOBYPASSRLS;

-- Owns the tables and migrates them. CREATEROLE: migrate makes groups that are missing, as those of later versions.
CREATE ROLE causeway_owner LOGIN CREATEROLE PASSWORD :'owner_password';
GRANT causeway_app, causeway_system, causeway_dashboard, causeway_entry, causeway_effects, causeway_console,
  causeway_ops, causeway_chain, causeway_resealer, causeway_system_definer, causeway_console_definer
  TO causeway_owner WITH ADMIN OPTION;
ALTER DATABASE causeway OWNER TO causeway_owner;

-- A login takes on its own groups alone. The migrations make some groups inherit from others, without SET.

-- What api and worker log in as: owns nothing, and takes one of the two groups on per connection.
CREATE ROLE causeway_service LOGIN NOINHERIT PASSWORD :'service_password';
GRANT causeway_app, causeway_system TO causeway_service;

-- What the dashboard logs in as. It decides nothing and sees nothing of operators.
CREATE ROLE causeway_dashboard_login LOGIN NOINHERIT PASSWORD :'dashboard_password';
GRANT causeway_dashboard, causeway_entry TO causeway_dashboard_login;

-- What the console logs in as: the one login that decides. Give it to no person.
CREATE ROLE causeway_console_login LOGIN NOINHERIT PASSWORD :'console_password';
GRANT causeway_effects, causeway_console TO causeway_console_login;

-- What the operators' commands log in as. They read, submit proposals, and do the acts of one operator.
CREATE ROLE causeway_ops_login LOGIN NOINHERIT PASSWORD :'ops_password';
GRANT causeway_dashboard, causeway_ops TO causeway_ops_login;

-- What the process that signs for chains logs in as: it alone writes what hot addresses send.
CREATE ROLE causeway_signer LOGIN NOINHERIT PASSWORD :'chain_password';
GRANT causeway_app, causeway_chain TO causeway_signer;

-- The Temporal server keeps two databases of its own beside ours, and cannot connect to ours.
CREATE ROLE temporal LOGIN CREATEDB PASSWORD :'temporal_password';
REVOKE CONNECT ON DATABASE causeway FROM PUBLIC;
GRANT CONNECT ON DATABASE causeway TO causeway_service, causeway_dashboard_login, causeway_console_login,
  causeway_ops_login, causeway_signer;
