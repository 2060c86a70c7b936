-- The look-up functions run as causeway_system, not as the owner, who may do more; only the app may call
-- them.
GRANT CREATE ON SCHEMA public TO causeway_system;
ALTER FUNCTION find_api_key(text) OWNER TO causeway_system;
ALTER FUNCTION touch_api_keys(jsonb) OWNER TO causeway_system;
ALTER FUNCTION find_kyc_check_scope(text) OWNER TO causeway_system;
ALTER FUNCTION find_kyc_link(bytea) OWNER TO causeway_system;
ALTER FUNCTION store_bank_callback(text, text, text, text, text, text, numeric,
  timestamptz, timestamptz) OWNER TO causeway_system;
ALTER FUNCTION check_transaction_sums_to_zero() OWNER TO causeway_system;
REVOKE CREATE ON SCHEMA public FROM causeway_system;

REVOKE EXECUTE ON FUNCTION find_api_key(text), touch_api_keys(jsonb), find_kyc_check_scope(text),
  find_kyc_link(bytea), store_bank_callback(text, text, text, text, text, text, numeric,
    timestamptz, timestamptz)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_key(text), touch_api_keys(jsonb), find_kyc_check_scope(text),
  find_kyc_link(bytea), store_bank_callback(text, text, text, text, text, text, numeric,
    timestamptz, timestamptz)
  TO causeway_app;
