-- What every rate was: fx_rates has the newest of each source and pair, this has those before it too. A
-- source that corrects the rate of a time corrects it here.
CREATE TABLE fx_rate_history (
  source text NOT NULL,
  base text NOT NULL,
  quote text NOT NULL,
  as_of timestamptz NOT NULL,
  rate numeric NOT NULL CHECK (rate > 0),
  fetched_at timestamptz NOT NULL,
  PRIMARY KEY (source, base, quote, as_of)
);
-- What is old enough to be forgotten.
CREATE INDEX fx_rate_history_by_age ON fx_rate_history (as_of);
GRANT SELECT ON fx_rate_history TO causeway_app, causeway_system;
GRANT INSERT, UPDATE, DELETE ON fx_rate_history TO causeway_system;

INSERT INTO fx_rate_history (source, base, quote, as_of, rate, fetched_at)
SELECT source, base, quote, as_of, rate, fetched_at FROM fx_rates;
