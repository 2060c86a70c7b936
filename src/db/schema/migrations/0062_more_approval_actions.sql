-- Who approves addresses of live keys, and that somebody has lost all passkeys.
ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES
  ('ADDRESS', '{COMPLIANCE}'), ('REMOVE_PASSKEYS', '{COMPLIANCE}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;
