-- Two operators say of a transaction that used the nonce of a payment and was not made by us whether it paid the payment.
-- The process that reads the chain acts by that only where both providers show the same.
ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES ('FOREIGN_PAYMENT', '{OPERATIONS}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;

CREATE TABLE chain_foreign_payments (
  environment text NOT NULL,
  network text NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL,
  hash text NOT NULL CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  -- PAID: it moved the payment's tokens. NOT_PAID: it moved others, and the payment goes on.
  outcome text NOT NULL CHECK (outcome IN ('PAID', 'NOT_PAID')),
  reference text NOT NULL REFERENCES chain_transfers,
  approval_id text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, address, nonce, hash, outcome, reference),
  FOREIGN KEY (environment, network, address, nonce) REFERENCES chain_nonces
);
CREATE INDEX chain_foreign_payments_by_hash ON chain_foreign_payments (environment, network, hash);

-- It is said of the nonce that carries the payment, or of a transfer that was found, is no known payment's, and has the
-- mark of the payment's reference or one of the three attempts after it, while the payment waits; and as the payment is now.
CREATE FUNCTION guard_foreign_payment() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  paid_id text;
  paid_version integer;
  used public.approvals;
BEGIN
  SELECT p.id, p.version INTO paid_id, paid_version FROM public.chain_nonces n
  JOIN public.chain_transfers t ON (t.environment, t.network, t.reference)
    = (n.environment, n.network, NEW.reference)
  JOIN public.payments p ON p.id = t.payment_id
  WHERE (n.environment, n.network, n.address, n.nonce)
      = (NEW.environment, NEW.network, NEW.address, NEW.nonce)
    AND n.state IN ('OPEN', 'SETTLED')
    AND (n.reference = NEW.reference OR n.reference IS NULL AND NEW.outcome = 'PAID' AND t.state = 'WAITING'
      AND n.mark IN (SELECT substring(sha256(convert_to(CASE WHEN later.n = 0 THEN NEW.reference
          WHEN right(NEW.reference, 2) ~ '^[0-9]{2}$' THEN left(NEW.reference, -2)
            || lpad((right(NEW.reference, 2)::integer + later.n)::text, 2, '0') END, 'UTF8')) FROM 1 FOR 16)
        FROM generate_series(0, 3) AS later (n))
      AND EXISTS (SELECT FROM public.chain_transactions m
        WHERE (m.environment, m.network, m.address, m.nonce, m.hash)
            = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.hash)
          AND m.is_found AND m.kind = 'TRANSFER'));
  used := public.approval_in_use('FOREIGN_PAYMENT', paid_id, paid_version);
  IF used.id = NEW.approval_id AND used.content @> jsonb_build_object('outcome', NEW.outcome, 'hash', NEW.hash,
      'reference', NEW.reference, 'network', NEW.network, 'address', NEW.address, 'nonce', NEW.nonce::text) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'nonce % of %: what it paid is said by two operators, of the payment that it carries',
    NEW.nonce, NEW.address
    USING ERRCODE = 'check_violation', CONSTRAINT = 'foreign_payment_takes_two_operators';
END $$;
CREATE TRIGGER guard_foreign_payment BEFORE INSERT ON chain_foreign_payments
  FOR EACH ROW EXECUTE FUNCTION guard_foreign_payment();
CREATE TRIGGER chain_foreign_payments_stay BEFORE UPDATE OR DELETE ON chain_foreign_payments
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE chain_foreign_payments ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_foreign_payments FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_is_seen ON chain_foreign_payments FOR SELECT TO causeway_system USING (true);
CREATE POLICY operators_say ON chain_foreign_payments TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT ON chain_foreign_payments TO causeway_system, causeway_console;
GRANT INSERT ON chain_foreign_payments TO causeway_console;

-- Effects work in a scope, whose role writes nothing about chains.
CREATE FUNCTION name_foreign_payment(in_environment text, in_network text, in_address text, in_nonce bigint,
  in_hash text, in_outcome text, in_reference text, in_approval text, in_now timestamptz)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO chain_foreign_payments (environment, network, address, nonce, hash, outcome, reference,
    approval_id, created_at)
  VALUES (in_environment, in_network, in_address, in_nonce, in_hash, in_outcome, in_reference, in_approval,
    in_now)
  ON CONFLICT (environment, network, address, nonce, hash, outcome, reference) DO NOTHING
$$;
GRANT CREATE ON SCHEMA public TO causeway_console;
ALTER FUNCTION name_foreign_payment(text, text, text, bigint, text, text, text, text, timestamptz)
  OWNER TO causeway_console;
REVOKE CREATE ON SCHEMA public FROM causeway_console;
REVOKE ALL ON FUNCTION name_foreign_payment(text, text, text, bigint, text, text, text, text, timestamptz)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION name_foreign_payment(text, text, text, bigint, text, text, text, text, timestamptz)
  TO causeway_dashboard;

-- As before; and a nonce may end by a transaction of which two operators say what it paid. One transaction pays one
-- payment, and none that we made.
CREATE OR REPLACE FUNCTION guard_chain_nonce() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'OPEN' OR num_nonnulls(NEW.void_why, NEW.mined_hash, NEW.fee) > 0
      OR NOT EXISTS (SELECT FROM chain_lanes l WHERE (l.environment, l.network, l.address, l.next_nonce)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce + 1)) THEN
      RAISE EXCEPTION 'nonce % of %: it is not the lane''s next', NEW.nonce, NEW.address
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.created_at)
    IS DISTINCT FROM (OLD.environment, OLD.network, OLD.address, OLD.nonce, OLD.created_at)
    -- What was found on the chain is given to its payment once; what was not found is nobody's.
    OR (OLD.reference IS NOT NULL AND NEW.reference IS DISTINCT FROM OLD.reference)
    OR (OLD.reference IS NULL AND NEW.reference IS NOT NULL AND NEW.mark IS NULL)
    OR (OLD.mark IS NOT NULL AND NEW.mark IS DISTINCT FROM OLD.mark)
    OR (OLD.void_why IS NOT NULL AND NEW.void_why IS DISTINCT FROM OLD.void_why)
    OR (OLD.void_why IS NULL AND NEW.void_why IS NOT NULL AND OLD.state <> 'OPEN') THEN
    RAISE EXCEPTION 'nonce % of %: a nonce carries one thing', OLD.nonce, OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.state IN ('FINAL', 'REJECTED') OR (NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
    ('OPEN', 'SETTLED'), ('SETTLED', 'OPEN'), ('SETTLED', 'FINAL'), ('OPEN', 'REJECTED'))) THEN
    RAISE EXCEPTION 'nonce % of %: it cannot go from % to %', OLD.nonce, OLD.address, OLD.state, NEW.state
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.state <> 'OPEN' AND NOT EXISTS (SELECT FROM chain_transactions t
    WHERE (t.environment, t.network, t.address, t.nonce, t.hash)
      = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.mined_hash))
    -- Another's moved nothing for us, as far as two operators know.
    AND NOT (NEW.state = 'REJECTED' AND EXISTS (SELECT FROM chain_foreign_transactions f
      WHERE (f.environment, f.network, f.address, f.nonce, f.hash)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.mined_hash)))
    -- It paid what the nonce carries, or did not, as two operators say.
    AND NOT (EXISTS (SELECT FROM chain_foreign_payments f
      WHERE (f.environment, f.network, f.address, f.nonce, f.hash, f.reference, f.outcome)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.mined_hash, NEW.reference,
          CASE NEW.state WHEN 'REJECTED' THEN 'NOT_PAID' ELSE 'PAID' END))
      AND NOT EXISTS (SELECT FROM chain_transactions t WHERE t.hash = NEW.mined_hash)
      AND NOT EXISTS (SELECT FROM chain_foreign_payments f JOIN chain_nonces n USING (environment, network, address, nonce)
        WHERE (f.environment, f.network, f.hash) = (NEW.environment, NEW.network, NEW.mined_hash)
          AND n.mined_hash = f.hash AND (n.address, n.nonce) <> (NEW.address, NEW.nonce)))
    -- Nothing is ever signed for it again, and nothing was.
    AND NOT (NEW.state = 'REJECTED' AND NEW.mined_hash IS NULL
      AND EXISTS (SELECT FROM chain_lanes l WHERE (l.environment, l.network, l.address, l.status)
        = (NEW.environment, NEW.network, NEW.address, 'RETIRED'))
      AND NOT EXISTS (SELECT FROM chain_transactions t
        WHERE (t.environment, t.network, t.address, t.nonce)
          = (NEW.environment, NEW.network, NEW.address, NEW.nonce) AND t.raw IS NOT NULL)) THEN
    RAISE EXCEPTION 'nonce % of %: it was used by none of its transactions', OLD.nonce, OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
