-- Hot addresses give each other no gas any more: coin comes from outside. Top-ups that the release before planned end
-- with their nonces, and keep their rows.

-- Since when the address has too little of the network's coin; null where the release before found that.
ALTER TABLE chain_signer_accounts ADD COLUMN low_on_gas_since timestamptz;

-- As before, and the block that holds it is the nonce's. The release before wrote it beforehand.
CREATE OR REPLACE FUNCTION end_chain_top_up() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  is_given boolean := NEW.state = 'FINAL' AND NEW.mark IS NULL AND EXISTS (SELECT FROM chain_transactions t
    WHERE (t.environment, t.network, t.address, t.nonce, t.hash)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.mined_hash)
      AND t.kind = 'TOP_UP' AND NOT t.is_found);
BEGIN
  UPDATE chain_top_ups u SET updated_at = NEW.updated_at,
    state = CASE WHEN is_given THEN 'FINAL' ELSE 'REJECTED' END,
    block_number = CASE WHEN is_given THEN NEW.mined_block ELSE u.block_number END,
    fee = CASE WHEN NEW.mark IS NULL THEN NEW.fee END
  WHERE (u.environment, u.network, u.address, u.nonce)
    = (NEW.environment, NEW.network, NEW.address, NEW.nonce) AND u.state = 'OPEN';
  RETURN NULL;
END $$;
