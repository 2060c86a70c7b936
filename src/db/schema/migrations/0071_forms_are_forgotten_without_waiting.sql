-- Forms that have expired are forgotten by whichever use comes by, and a use waits for none that another one is
-- forgetting: their rows are locked with SKIP LOCKED. Locking takes the right to update; no update is let through.
GRANT UPDATE (expires_at) ON form_uses TO causeway_dashboard, causeway_console;
CREATE POLICY expired_ones_are_locked ON form_uses FOR UPDATE TO causeway_dashboard, causeway_console
  USING (expires_at < clock_timestamp()) WITH CHECK (false);
