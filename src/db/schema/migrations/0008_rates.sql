-- Exchange rates belong to no customer: every customer sees the same mid-market.
CREATE TABLE fx_rates (
  source text NOT NULL,
  base text NOT NULL,
  quote text NOT NULL,
  rate numeric NOT NULL CHECK (rate > 0),
  as_of timestamptz NOT NULL,
  fetched_at timestamptz NOT NULL,
  PRIMARY KEY (source, base, quote)
);
GRANT SELECT ON fx_rates TO causeway_app, causeway_system;
GRANT INSERT, UPDATE, DELETE ON fx_rates TO causeway_system;
