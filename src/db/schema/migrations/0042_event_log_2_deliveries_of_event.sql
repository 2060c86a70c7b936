-- no transaction
-- Deleting an event asks for its deliveries: without this each would be a walk of the whole table.
CREATE INDEX CONCURRENTLY webhook_deliveries_of_event ON webhook_deliveries (event_id);
