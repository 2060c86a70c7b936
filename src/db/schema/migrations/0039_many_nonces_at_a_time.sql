-- A signer account may have many nonces that are mined and not final. How many, its network's settings say: after a
-- restore, as many nonces may have been signed for as it ever had under way.
ALTER TABLE chain_signer_accounts ADD COLUMN not_final_max integer NOT NULL DEFAULT 16
  CONSTRAINT chain_signer_accounts_not_final_max CHECK (not_final_max BETWEEN 16 AND 4096);
COMMENT ON COLUMN chain_signer_accounts.not_final_max IS
  'The most nonces that are not final which any settings ever let the signer account have at a time.';

CREATE TRIGGER not_final_max_grows BEFORE UPDATE ON chain_signer_accounts FOR EACH ROW
  WHEN (NEW.not_final_max < OLD.not_final_max) EXECUTE FUNCTION refuse_change();

-- Gives the next nonces of a signer account to transfers, in their order, and keeps what is to be signed for each. The
-- caller has locked the signer account, and its next nonce is the first.
CREATE FUNCTION take_chain_nonces(in_environment text, in_network text, in_address text, in_first bigint,
  in_references text[], in_unsigned bytea[], in_gas bigint[], in_max_fee bigint, in_max_priority_fee bigint,
  in_now timestamptz)
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  FOR n IN 1 .. cardinality(in_references) LOOP
    UPDATE chain_signer_accounts SET next_nonce = next_nonce + 1, updated_at = in_now
    WHERE (environment, network, address, next_nonce) = (in_environment, in_network, in_address, in_first + n - 1);
    IF NOT FOUND THEN
      RAISE EXCEPTION 'signer account %: % is not its next nonce', in_address, in_first + n - 1
        USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO chain_nonces (environment, network, address, nonce, reference, created_at, updated_at)
    VALUES (in_environment, in_network, in_address, in_first + n - 1, in_references[n], in_now, in_now);
  END LOOP;
  INSERT INTO chain_transactions (environment, network, address, nonce, number, kind, unsigned, max_fee_per_gas,
    max_priority_fee_per_gas, gas, created_at)
  SELECT in_environment, in_network, in_address, in_first + t.n - 1, 0, 'TRANSFER', t.unsigned, in_max_fee,
    in_max_priority_fee, t.gas, in_now
  FROM unnest(in_unsigned, in_gas) WITH ORDINALITY AS t (unsigned, gas, n);
END $$;
REVOKE ALL ON FUNCTION take_chain_nonces FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_chain_nonces TO causeway_chain;
