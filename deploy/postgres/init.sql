-- Runs once, by psql as superuser, in the new database `causeway`. Passwords come from the environment.
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
\getenv temporal_password TEMPORAL_PASSWORD

-- The group roles that the migrations grant rights to. Made here, so that they can be handed out
-- before the first migration has run.
CREATE ROLE causeway_app NOLOGIN NOBYPASSRLS;
CREATE ROLE causeway_system NOLOGIN NOBYPASSRLS;

-- Owns the tables and migrates them. CREATEROLE: the first migration makes the groups where they are missing.
CREATE ROLE causeway_owner LOGIN CREATEROLE PASSWORD :'owner_password';
GRANT causeway_app, causeway_system TO causeway_owner WITH ADMIN OPTION;
ALTER DATABASE causeway OWNER TO causeway_owner;

-- What api and worker log in as: owns nothing, and takes one of the two groups on per connection.
CREATE ROLE causeway_service LOGIN NOINHERIT PASSWORD :'service_password';
GRANT causeway_app, causeway_system TO causeway_service;

-- The Temporal server keeps two databases of its own beside ours.
CREATE ROLE temporal LOGIN CREATEDB PASSWORD :'temporal_password';
