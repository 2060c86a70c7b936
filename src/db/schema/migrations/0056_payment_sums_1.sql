-- What was accepted in a span of time that is over, summed once. A payment belongs to the span in which its id was
-- made; what it orders never changes, whatever becomes of it, so that a sum never has to be mended and
-- summing again gives the same.
CREATE TABLE payment_sums (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  starts_at timestamptz NOT NULL,
  -- A day by UTC, or an hour of the newest one.
  hours smallint NOT NULL CHECK (hours IN (1, 24)),
  -- By currency: {"EUR": {"payments": "3", "minor": "12500"}}; decimal text, the amounts in minor units.
  sums jsonb NOT NULL CHECK (jsonb_typeof(sums) = 'object'),
  summed_at timestamptz NOT NULL,
  PRIMARY KEY (customer_id, environment, starts_at, hours),
  CHECK (extract(epoch FROM starts_at) % (hours * 3600) = 0),
  -- Clocks differ by less than five minutes, and a payment is committed within them.
  CONSTRAINT summed_when_over
    CHECK (summed_at >= starts_at + make_interval(hours => hours) + interval '5 minutes')
);
CALL secure_scoped_table('payment_sums');
GRANT INSERT ON payment_sums TO causeway_dashboard;
CREATE TRIGGER payment_sums_are_append_only BEFORE UPDATE OR DELETE ON payment_sums
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
