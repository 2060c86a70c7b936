-- no transaction
-- A customer is one company in each environment. Finds it, too.
CREATE UNIQUE INDEX CONCURRENTLY one_own_entity ON end_users (customer_id, environment)
  WHERE relationship = 'SELF';
