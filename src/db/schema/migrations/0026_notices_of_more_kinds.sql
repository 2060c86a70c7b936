-- What operators are told of is named by the engine: a new kind needs no change of the database.
ALTER TABLE operator_notices DROP CONSTRAINT operator_notices_kind_check;
ALTER TABLE operator_notices ADD CONSTRAINT operator_notices_kind_check CHECK (kind ~ '^[A-Z_]{1,40}$');
COMMENT ON TABLE operator_notices IS
  'One thing that operators were mailed about, so that the mail is not repeated: once for a request, at most once '
  'a day for a payment or for what has waited too long. It is deleted after 90 days, and what still holds is mailed '
  'again.';
