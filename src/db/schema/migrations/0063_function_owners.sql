-- A statement's own session says where names in a guard are looked up: a role with a temporary table called `approvals`
-- had that one read. And the owner of a function may drop it, with the triggers that call it. So every function has
-- its own search path, and what runs with its owner's rights is owned by a role that no process works as.
DO $$
BEGIN
  IF to_regrole('causeway_system_definer') IS NULL THEN
    CREATE ROLE causeway_system_definer NOLOGIN NOBYPASSRLS;
  END IF;
  IF to_regrole('causeway_console_definer') IS NULL THEN
    CREATE ROLE causeway_console_definer NOLOGIN NOBYPASSRLS;
  END IF;
END $$;

-- They have the rights of the roles whose functions they own. The one login that is a member of them migrates.
GRANT causeway_system TO causeway_system_definer WITH INHERIT TRUE, SET FALSE;
GRANT causeway_console TO causeway_console_definer WITH INHERIT TRUE, SET FALSE;
GRANT causeway_system_definer, causeway_console_definer TO CURRENT_USER;

-- Makes so what is not: called after every run of the migrations, whatever they made, and after a restore, which
-- brings no rights on the database with it. It needs no lock that a statement holds.
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
REVOKE ALL ON PROCEDURE secure_database() FROM PUBLIC;
CALL secure_database();
