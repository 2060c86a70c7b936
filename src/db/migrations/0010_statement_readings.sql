-- A reading replaces the lines of the one before it whole, and only the newest reading may store any:
-- what a bank sent in two tries is never mixed.
ALTER TABLE statements ADD COLUMN readings integer NOT NULL DEFAULT 0;
-- How many of them ended with a file that cannot be read.
ALTER TABLE statements ADD COLUMN unreadable_readings integer NOT NULL DEFAULT 0;
DROP INDEX statements_unfinished;
CREATE INDEX statements_unfinished ON statements (environment, rail, sequence)
  WHERE status <> 'RECONCILED';

GRANT DELETE ON statement_lines TO causeway_system;
CREATE TRIGGER judged_lines_stay BEFORE DELETE ON statement_lines
  FOR EACH ROW WHEN (OLD.judged_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
