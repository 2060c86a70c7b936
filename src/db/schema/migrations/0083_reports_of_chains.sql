-- What the chain shows of a transfer is a report like a bank's, from a source of its own.
ALTER TABLE transfer_reports DROP CONSTRAINT transfer_reports_source_check;
ALTER TABLE transfer_reports ADD CONSTRAINT transfer_reports_source_check
  CHECK (source IN ('CALLBACK', 'STATEMENT', 'CHAIN')) NOT VALID;

-- Nobody but the process that reads the chain speaks for it: such a report completes a payment, or gives its
-- funds back.
CREATE FUNCTION guard_chain_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_has_role(current_user, 'causeway_chain', 'USAGE') THEN
    RAISE EXCEPTION 'report %: only its own process speaks for a chain', NEW.report_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_chain_report BEFORE INSERT OR UPDATE OF source ON transfer_reports FOR EACH ROW
  WHEN (NEW.source = 'CHAIN') EXECUTE FUNCTION guard_chain_report();
