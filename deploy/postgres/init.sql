-- Runs once, by psql as superuser, in the new database `causeway`. Passwords come from the environment.
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
\getenv web_password WEB_PASSWORD
\getenv chain_password CHAIN_PASSWORD
\getenv temporal_password TEMPORAL_PASSWORD

-- The group roles that the migrations grant rights to. Made here, so that they can be handed out
-- before the first migration has run.
CREATE ROLE causeway_app NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_system NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_dashboard NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_console NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_chain NOLOGIN NOBYPASSRLS;
-- They own the functions that run with more rights than their caller's. No login is to be a member of them.
CREATE ROLE causeway_system_definer NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_console_definer NOLOGIN NOBYPASSRLS;

-- Owns the tables and migrates them. CREATEROLE: migrate makes groups that are missing, as those of later versions.
CREATE ROLE causeway_owner LOGIN CREATEROLE PASSWORD :'owner_password';
GRANT causeway_app, causeway_system, causeway_dashboard, causeway_console, causeway_chain,
  causeway_system_definer, causeway_console_definer TO causeway_owner WITH ADMIN OPTION;
ALTER DATABASE causeway OWNER TO causeway_owner;

-- What api and worker log in as: owns nothing, and takes one of the two groups on per connection.
CREATE ROLE causeway_service LOGIN NOINHERIT PASSWORD :'service_password';
GRANT causeway_app, causeway_system TO causeway_service;

-- What web and the operators' commands log in as. Neither login can put on a group of the other's: the
-- first migration makes the one pair inherit from the other, without SET.
CREATE ROLE causeway_web LOGIN NOINHERIT PASSWORD :'web_password';
GRANT causeway_dashboard, causeway_console TO causeway_web;

-- What the process that signs for chains logs in as: it alone writes what hot addresses send.
CREATE ROLE causeway_signer LOGIN NOINHERIT PASSWORD :'chain_password';
GRANT causeway_app, causeway_chain TO causeway_signer;

-- The Temporal server keeps two databases of its own beside ours.
CREATE ROLE temporal LOGIN CREATEDB PASSWORD :'temporal_password';
