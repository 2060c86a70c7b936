-- Roles, and what every table is secured and guarded with.

-- Group roles. None of them can log in: the operator's login users are made members of them.
-- causeway_app              what api and worker are: row-level security binds it to one scope a transaction
-- causeway_system           what the reconciler, statements, verification and the look-up functions are: sees every scope
-- causeway_dashboard        causeway_app as people work: it writes keys and addresses, of one scope
-- causeway_console          causeway_system as operators work: it writes keys and addresses, and decides
-- causeway_chain            causeway_system as the process that signs: it alone writes what signer accounts send
-- causeway_system_definer   own the functions that run with more rights than their caller's: no process works as
-- causeway_console_definer  one of them, so that nobody who may call a function may change it
-- Looked for first: CREATE ROLE asks for CREATEROLE before it looks whether the role is there. Roles belong to the
-- server, so another database's migration may make one in the same moment.
DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['causeway_app', 'causeway_system', 'causeway_dashboard', 'causeway_console',
    'causeway_chain', 'causeway_system_definer', 'causeway_console_definer'] LOOP
    IF to_regrole(wanted) IS NULL THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN NOBYPASSRLS', wanted);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END IF;
  END LOOP;
END $$;

-- Each has the rights of the other. SET FALSE: a login of the first cannot put on the second.
GRANT causeway_app TO causeway_dashboard WITH INHERIT TRUE, SET FALSE;
GRANT causeway_system TO causeway_console WITH INHERIT TRUE, SET FALSE;
GRANT causeway_system TO causeway_chain WITH INHERIT TRUE, SET FALSE;
GRANT causeway_system TO causeway_system_definer WITH INHERIT TRUE, SET FALSE;
GRANT causeway_console TO causeway_console_definer WITH INHERIT TRUE, SET FALSE;
-- The login that migrates gives functions to their owners. No other login is a member of those two.
GRANT causeway_app, causeway_system, causeway_dashboard, causeway_console, causeway_chain,
  causeway_system_definer, causeway_console_definer TO CURRENT_USER;
GRANT USAGE ON SCHEMA public
  TO causeway_app, causeway_system, causeway_dashboard, causeway_console, causeway_chain;

-- The scope of the running transaction. Unset reads as NULL or '', and neither equals a customer id.
CREATE FUNCTION scope_customer() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT current_setting('causeway.customer', true) $$;

CREATE FUNCTION scope_environment() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT current_setting('causeway.environment', true) $$;

-- Binds a table that carries (customer_id, environment) to the transaction's scope.
CREATE PROCEDURE secure_scoped_table(target regclass) LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

-- Refuses every change but the one that completes a row: the columns named are null before and set
-- after it, and nothing else differs.
CREATE FUNCTION refuse_all_but_completion() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  was jsonb := to_jsonb(OLD);
  becomes jsonb;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    becomes := to_jsonb(NEW);
    IF was - TG_ARGV = becomes - TG_ARGV
       AND NOT EXISTS (SELECT FROM unnest(TG_ARGV) AS named (name)
                       WHERE was -> name <> 'null' OR becomes -> name = 'null') THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'a row of % is only ever completed', TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;

-- A statement's own session says where names in a guard are looked up: a role with a temporary table called
-- `approvals` had that one read. And the owner of a function may drop it, with the triggers that call it. So
-- every function has its own search path, and what runs with its owner's rights is owned by a role that no
-- process works as. This makes so what is not: called after every run of the migrations, whatever they made,
-- and after a restore, which brings no rights on the database with it. It needs no lock that a statement holds.
CREATE PROCEDURE secure_database() LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  -- Read in place by the planner: they look up nothing but functions of pg_catalog.
  inlined constant name[] := ARRAY['scope_customer', 'scope_environment', 'operator_identity'];
  routine record;
BEGIN
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;

  FOR routine IN
    SELECT p.oid::regprocedure AS signature FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.prokind IN ('f', 'p')
      AND p.proname <> ALL (inlined)
      AND NOT EXISTS (SELECT FROM unnest(p.proconfig) AS c (setting) WHERE setting LIKE 'search\_path=%')
    ORDER BY 1
  LOOP
    EXECUTE format('ALTER ROUTINE %s SET search_path = pg_catalog, public, pg_temp', routine.signature);
  END LOOP;

  FOR routine IN
    SELECT p.oid::regprocedure AS signature, r.rolname AS was, r.rolname || '_definer' AS becomes,
      has_function_privilege(r.oid, p.oid, 'EXECUTE') AS is_called_by_it
    FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner
    WHERE p.pronamespace = 'public'::regnamespace AND r.rolname IN ('causeway_system', 'causeway_console')
    ORDER BY 1
  LOOP
    -- A new owner needs CREATE, for the moment.
    EXECUTE format('GRANT CREATE ON SCHEMA public TO %I', routine.becomes);
    EXECUTE format('ALTER ROUTINE %s OWNER TO %I', routine.signature, routine.becomes);
    EXECUTE format('REVOKE CREATE ON SCHEMA public FROM %I', routine.becomes);
    -- The right to call it went with the ownership.
    IF routine.is_called_by_it THEN
      EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO %I', routine.signature, routine.was);
    END IF;
  END LOOP;
END $$;
REVOKE ALL ON PROCEDURE secure_database FROM PUBLIC;
