-- Two group roles. Neither can log in: the operator's login users are made members of them.
-- causeway_app    what api and worker are: row-level security binds it to one scope a transaction
-- causeway_system what sweep, statements, verification and the look-up functions are: sees every scope
DO $$
BEGIN
  CREATE ROLE causeway_app NOLOGIN NOBYPASSRLS;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;

DO $$
BEGIN
  CREATE ROLE causeway_system NOLOGIN NOBYPASSRLS;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;

GRANT causeway_app, causeway_system TO CURRENT_USER;
GRANT USAGE ON SCHEMA public TO causeway_app, causeway_system;

-- The scope of the running transaction. Unset reads as NULL or '', and neither equals a customer id.
CREATE FUNCTION scope_customer() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT current_setting('causeway.customer', true) $$;
CREATE FUNCTION scope_environment() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT current_setting('causeway.environment', true) $$;

-- Binds a table that carries (customer_id, environment) to the transaction's scope.
CREATE PROCEDURE secure_scoped_table(target regclass) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY in_scope ON %s TO causeway_app
       USING (customer_id = scope_customer() AND environment = scope_environment())
       WITH CHECK (customer_id = scope_customer() AND environment = scope_environment())', target);
  EXECUTE format('CREATE POLICY system_sees_all ON %s TO causeway_system USING (true) WITH CHECK (true)',
    target);
  EXECUTE format('GRANT SELECT ON %s TO causeway_app, causeway_system', target);
END $$;

-- Refuses every change of a row that must stay as it was written.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
