-- no transaction
-- The newest statement of a connector, for its age.
CREATE INDEX CONCURRENTLY statements_newest ON statements (environment, connector, id DESC);
