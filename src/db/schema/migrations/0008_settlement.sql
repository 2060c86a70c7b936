-- How payments leave, what banks tell of them, and what operators do where that is not enough.

CREATE TABLE settlement_attempts (
  reference text PRIMARY KEY CHECK (reference ~ '^[A-Z0-9]{1,35}$'),
  customer_id text NOT NULL,
  environment text NOT NULL,
  payment_id text NOT NULL,
  number integer NOT NULL CHECK (number BETWEEN 1 AND 99),
  rail text NOT NULL,
  request bytea NOT NULL,
  -- READY: written with the payment, nothing of it sent. It is not open: ending the payment closes it. SENDING:
  -- the bytes may be on their way. NOT_SENT: known not to be. UNKNOWN: the bank has not told us.
  phase text NOT NULL CHECK (phase IN
    ('READY', 'SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED', 'SETTLED', 'REJECTED', 'RETURNED')),
  is_open boolean GENERATED ALWAYS AS
    (phase IN ('SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED')) STORED,
  sends integer NOT NULL DEFAULT 1,
  -- When the last of them began.
  sent_at timestamptz NOT NULL,
  -- The first send of a payment is no version of it.
  first_sent_at timestamptz,
  fruitless_sends integer NOT NULL DEFAULT 0,
  refused_by_bank boolean NOT NULL DEFAULT false,
  deadline_at timestamptz NOT NULL,
  answered_at timestamptz,
  unknown_since timestamptz,
  ask_base_at timestamptz NOT NULL,
  next_ask_at timestamptz,
  missing_count integer NOT NULL DEFAULT 0,
  last_answer text,
  bank_reference text,
  reason text,
  settled_at timestamptz,
  is_rejection_confirmed boolean NOT NULL DEFAULT false,
  -- What became of a payment at the bank, where the bank does not say it: two operators do. CONFIRM_SETTLED and
  -- CONFIRM_FAILED close its attempt; this is the approval that did.
  confirmed_by text,
  -- This reference or a later one may have been sent before the restore.
  is_restored boolean NOT NULL DEFAULT false,
  -- What keeps a restored attempt from being sent again although its rail never saw it. Null: nothing.
  held_by text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (payment_id, number),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id),
  CONSTRAINT nothing_of_ready_was_sent CHECK (phase <> 'READY' OR sends = 0),
  CONSTRAINT confirmed_by_an_approval FOREIGN KEY (customer_id, environment, confirmed_by)
    REFERENCES approvals (customer_id, environment, id)
);
COMMENT ON TABLE settlement_attempts IS
  'One attempt to move a payment''s money, committed with its exact bytes before the first of them is sent. No '
  'role may delete it.';
-- READY counts too: a second attempt can never stand beside one that may still be sent.
CREATE UNIQUE INDEX one_unended_attempt_a_payment ON settlement_attempts (payment_id)
  WHERE phase IN ('READY', 'SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED');
-- Restored attempts that are kept from being sent: operators look at them.
CREATE INDEX settlement_attempts_held ON settlement_attempts (payment_id)
  WHERE is_open AND held_by IS NOT NULL;
CALL secure_scoped_table('settlement_attempts');
GRANT INSERT, UPDATE ON settlement_attempts TO causeway_app;

-- Nothing is sent before its day. The attempt of a payment that is due at once is READY when it is written and
-- is not looked at.
CREATE FUNCTION refuse_early_release() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM payments p
             WHERE p.id = NEW.payment_id AND p.release_at > NEW.created_at) THEN
    RAISE EXCEPTION 'payment % is not to be released yet', NEW.payment_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_early_release BEFORE INSERT ON settlement_attempts
  FOR EACH ROW WHEN (NEW.number = 1 AND NEW.phase <> 'READY')
  EXECUTE FUNCTION refuse_early_release();

-- The approval is of this payment as it is, of this attempt and of this outcome, and it is in use; no statement
-- says otherwise. It is written once.
CREATE FUNCTION guard_confirmed_outcome() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  used public.approvals;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.confirmed_by IS NULL AND NEW.phase IN ('SETTLED', 'REJECTED') THEN
    used := public.approval_in_use(
      CASE NEW.phase WHEN 'SETTLED' THEN 'CONFIRM_SETTLED' ELSE 'CONFIRM_FAILED' END,
      NEW.payment_id, (SELECT p.version FROM public.payments p WHERE p.id = NEW.payment_id));
    IF used.id = NEW.confirmed_by AND used.content ->> 'reference' = NEW.reference
       -- What may be on its way is nobody's to confirm.
       AND OLD.phase NOT IN ('READY', 'SENDING')
       AND coalesce(public.statement_word(NEW.environment, ARRAY[NEW.reference])
         = CASE NEW.phase WHEN 'SETTLED' THEN 'PAID' ELSE 'TAKEN_BACK' END, true) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'attempt %: its outcome is confirmed by two operators, once', NEW.reference
    USING ERRCODE = 'check_violation', CONSTRAINT = 'outcome_takes_two_operators';
END $$;
CREATE TRIGGER outcome_is_confirmed BEFORE UPDATE ON settlement_attempts FOR EACH ROW
  WHEN (NEW.confirmed_by IS DISTINCT FROM OLD.confirmed_by) EXECUTE FUNCTION guard_confirmed_outcome();
CREATE TRIGGER attempt_begins_unconfirmed BEFORE INSERT ON settlement_attempts FOR EACH ROW
  WHEN (NEW.confirmed_by IS NOT NULL) EXECUTE FUNCTION guard_confirmed_outcome();

-- People speak with no bank: what pages close of their own, without two operators, a stored report of the bank
-- has said. (An answer of the bank is written by the worker, whose role is another one.)
CREATE FUNCTION guard_outcome_by_people() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM public.transfer_reports r
                 WHERE r.payment_id = NEW.payment_id AND r.reference = NEW.reference) THEN
    RAISE EXCEPTION 'attempt %: its outcome takes the bank, or two operators', NEW.reference
      USING ERRCODE = 'check_violation', CONSTRAINT = 'outcome_takes_two_operators';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER outcome_by_people BEFORE UPDATE ON settlement_attempts FOR EACH ROW
  WHEN (NEW.phase IN ('SETTLED', 'REJECTED', 'RETURNED') AND NEW.phase <> OLD.phase
    AND NEW.confirmed_by IS NULL AND OLD.phase NOT IN ('READY', 'NOT_SENT')
    AND pg_has_role(current_user, 'causeway_dashboard', 'USAGE')
    AND NOT pg_has_role(current_user, 'causeway_system', 'USAGE'))
  EXECUTE FUNCTION guard_outcome_by_people();

-- What became of a payment to a wallet is not what operators say: what is mined decides.
CREATE FUNCTION refuse_said_outcome() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM public.payments p
             WHERE p.id = NEW.payment_id AND p.wallet_id IS NOT NULL) THEN
    RAISE EXCEPTION 'attempt %: the chain tells what became of it', NEW.reference
      USING ERRCODE = 'check_violation', CONSTRAINT = 'no_outcome_is_said_of_chains';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER no_outcome_is_said_of_chains BEFORE UPDATE ON settlement_attempts FOR EACH ROW
  WHEN (NEW.confirmed_by IS DISTINCT FROM OLD.confirmed_by) EXECUTE FUNCTION refuse_said_outcome();

CREATE TABLE transfer_reports (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  customer_id text,
  environment text NOT NULL,
  payment_id text,
  reference text NOT NULL,
  source text NOT NULL CHECK (source IN ('CALLBACK', 'STATEMENT', 'CHAIN')),
  report_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('ACCEPTED', 'SETTLED', 'REJECTED', 'RETURNED')),
  bank_reference text,
  reason text,
  amount numeric CONSTRAINT amount_is_not_negative CHECK (amount >= 0),
  -- When the bank says that it happened.
  occurred_at timestamptz,
  received_at timestamptz NOT NULL,
  processed_at timestamptz,
  effect text,
  -- Of a callback whose reference is no attempt's, evidence that no payment's row can show: when its alarm was
  -- raised.
  alarmed_at timestamptz,
  UNIQUE (environment, source, report_id),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id)
);
COMMENT ON TABLE transfer_reports IS
  'One report about a transfer that nobody asked for: a callback, a statement line or a fact of the chain. Stored '
  'first, judged later. No role may delete it.';
CREATE INDEX transfer_reports_unprocessed ON transfer_reports (received_at)
  WHERE processed_at IS NULL AND payment_id IS NOT NULL;
CREATE INDEX transfer_reports_of_payment ON transfer_reports (payment_id, id);
CREATE INDEX transfer_reports_unknown ON transfer_reports (id) WHERE payment_id IS NULL;
CREATE INDEX transfer_reports_to_alarm ON transfer_reports (id)
  WHERE payment_id IS NULL AND alarmed_at IS NULL;
CREATE INDEX transfer_reports_without_effect ON transfer_reports (id)
  WHERE effect IN ('CONTRADICTION', 'UNKNOWN_REFERENCE', 'AWAIT_STATEMENT',
    'COMPLETE_AND_AWAIT_STATEMENT');
CALL secure_scoped_table('transfer_reports');
GRANT INSERT, UPDATE ON transfer_reports TO causeway_app, causeway_system;

-- The secret of a bank must never complete a payment that no bank makes: neither a callback nor a statement of
-- a bank is about a payment to a wallet.
CREATE FUNCTION refuse_report_of_bank() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM public.payments p
             WHERE p.id = NEW.payment_id AND p.wallet_id IS NOT NULL) THEN
    RAISE EXCEPTION 'payment %: no bank reports on a payment to a wallet', NEW.payment_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'no_bank_reports_on_wallets';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER no_bank_reports_on_wallets BEFORE INSERT ON transfer_reports FOR EACH ROW
  WHEN (NEW.payment_id IS NOT NULL AND NEW.source IN ('CALLBACK', 'STATEMENT'))
  EXECUTE FUNCTION refuse_report_of_bank();

-- Nobody but the process that reads the chain speaks for it: such a report completes a payment, or gives its
-- funds back.
CREATE FUNCTION guard_chain_report() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT pg_has_role(current_user, 'causeway_chain', 'USAGE') THEN
    RAISE EXCEPTION 'report %: only its own process speaks for a chain', NEW.report_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_chain_report BEFORE INSERT OR UPDATE OF source ON transfer_reports FOR EACH ROW
  WHEN (NEW.source = 'CHAIN') EXECUTE FUNCTION guard_chain_report();

-- Stores one callback, once, and says whose payment it concerns. Unknown references are kept too, and what a
-- bank says of a payment that no bank makes is kept as a report on a reference that is not its own: the
-- operators are told of it. A bank that gives two reports one id (its reference, say) has still said two
-- things: the second is kept under the id, reference and status together. Only the same report, told again, is
-- known.
CREATE FUNCTION store_bank_callback(
  in_environment text, in_report_id text, in_reference text, in_status text,
  in_bank_reference text, in_reason text, in_amount numeric, in_occurred_at timestamptz,
  in_received_at timestamptz)
RETURNS TABLE (id bigint, customer_id text, payment_id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  whose RECORD;
  own_id text;
BEGIN
  SELECT a.customer_id, a.payment_id INTO whose FROM settlement_attempts a
  JOIN payments p ON p.id = a.payment_id AND p.wallet_id IS NULL
  WHERE a.reference = in_reference AND a.environment = in_environment;
  FOREACH own_id IN ARRAY
    -- A line feed: no header, and so no id, can hold one.
    ARRAY[in_report_id, concat_ws(E'\n', in_report_id, in_reference, in_status)] LOOP
    INSERT INTO transfer_reports AS r (customer_id, environment, payment_id, reference, source,
      report_id, status, bank_reference, reason, amount, occurred_at, received_at)
    VALUES (whose.customer_id, in_environment, whose.payment_id, in_reference, 'CALLBACK', own_id,
      in_status, in_bank_reference, in_reason, in_amount, in_occurred_at, in_received_at)
    ON CONFLICT (environment, source, report_id) DO NOTHING;
    RETURN QUERY SELECT r.id, r.customer_id, r.payment_id FROM transfer_reports r
    WHERE r.environment = in_environment AND r.source = 'CALLBACK' AND r.report_id = own_id
      AND r.reference = in_reference AND r.status = in_status;
    IF FOUND THEN RETURN; END IF;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION store_bank_callback FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store_bank_callback TO causeway_app, causeway_system;

-- Sealed under the end-user's key. For a wallet that a VASP keeps, the record waits for that VASP's answer, which
-- comes once.
CREATE TABLE travel_rule_records (
  payment_id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  end_user_id text NOT NULL,
  -- Sealed; of an erased end-user nothing.
  record bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('STORED', 'WAITING', 'ACCEPTED', 'REJECTED')),
  created_at timestamptz NOT NULL,
  -- When the provider first took it.
  sent_at timestamptz,
  answered_at timestamptz,
  CHECK ((status IN ('ACCEPTED', 'REJECTED')) = (answered_at IS NOT NULL)),
  CHECK (answered_at IS NULL OR sent_at IS NOT NULL),
  CHECK (status <> 'STORED' OR sent_at IS NULL),
  FOREIGN KEY (customer_id, environment, payment_id) REFERENCES payments (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, end_user_id) REFERENCES end_users (customer_id, environment, id)
);
COMMENT ON TABLE travel_rule_records IS
  'What goes with one payment to a wallet by the travel rule: who sends tokens to whom. Written with its payment, '
  'never deleted.';
CREATE INDEX travel_rule_records_of_end_user ON travel_rule_records (end_user_id);
CALL secure_scoped_table('travel_rule_records');
GRANT INSERT, UPDATE (record, status, sent_at, answered_at) ON travel_rule_records TO causeway_app;
CREATE TRIGGER travel_rule_records_stay BEFORE DELETE ON travel_rule_records
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A record is of a payment to a wallet, and an answer is taken once. What waits for a VASP's word becomes
-- nothing but accepted or rejected by it: a record that is only stored waits for none, and the transfer would
-- leave without that word.
CREATE FUNCTION guard_travel_rule_record() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  answered text[] := ARRAY['status', 'sent_at', 'answered_at'];
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.sent_at IS NOT NULL OR octet_length(NEW.record) = 0 OR NOT EXISTS (
      SELECT FROM payments p JOIN wallets w ON w.customer_id = p.customer_id
        AND w.environment = p.environment AND w.id = p.wallet_id
      WHERE p.customer_id = NEW.customer_id AND p.environment = NEW.environment AND p.id = NEW.payment_id
        AND p.end_user_id = NEW.end_user_id
        AND NEW.status = CASE w.ownership WHEN 'HOSTED' THEN 'WAITING' ELSE 'STORED' END) THEN
      RAISE EXCEPTION 'travel rule record %: it is of a payment to a wallet, before any answer', NEW.payment_id
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF to_jsonb(NEW) - answered = to_jsonb(OLD) - answered AND OLD.status = 'WAITING' AND NEW.status <> 'STORED'
     AND (OLD.sent_at IS NULL OR NEW.sent_at = OLD.sent_at) THEN
    RETURN NEW;
  END IF;
  IF to_jsonb(NEW) - 'record'::text = to_jsonb(OLD) - 'record'::text AND octet_length(NEW.record) = 0
     AND EXISTS (SELECT FROM end_user_keys k
                 WHERE k.wrapped_key IS NULL AND k.end_user_id = OLD.end_user_id) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'travel rule record %: an answer is taken once', OLD.payment_id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_travel_rule_record BEFORE INSERT OR UPDATE ON travel_rule_records
  FOR EACH ROW EXECUTE FUNCTION guard_travel_rule_record();

-- Nothing is sent before the VASP has accepted, whatever a process thinks.
CREATE FUNCTION travel_rule_is_kept() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM travel_rule_records t
             WHERE t.payment_id = NEW.payment_id AND t.status IN ('WAITING', 'REJECTED')) THEN
    RAISE EXCEPTION 'payment %: the VASP that keeps the wallet has not accepted it', NEW.payment_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'travel_rule_is_kept';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER travel_rule_is_kept_by_first BEFORE INSERT ON settlement_attempts FOR EACH ROW
  WHEN (NEW.phase = 'SENDING') EXECUTE FUNCTION travel_rule_is_kept();
CREATE TRIGGER travel_rule_is_kept_by_next BEFORE UPDATE ON settlement_attempts FOR EACH ROW
  WHEN (NEW.phase = 'SENDING' AND OLD.phase <> 'SENDING') EXECUTE FUNCTION travel_rule_is_kept();

-- The reason stays in this table: Temporal gets only the id.
CREATE TABLE operator_decisions (
  id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  payment_id text NOT NULL,
  action text NOT NULL CHECK (action IN ('RETRY')),
  operator text NOT NULL CHECK (length(operator) BETWEEN 1 AND 100),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  decided_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id)
);
COMMENT ON TABLE operator_decisions IS
  'One decision of an operator about a payment, and why. Rows never change and are never deleted.';
CREATE INDEX operator_decisions_of_payment ON operator_decisions (payment_id);
CALL secure_scoped_table('operator_decisions');
GRANT INSERT ON operator_decisions TO causeway_system;
CREATE TRIGGER operator_decisions_is_append_only BEFORE UPDATE OR DELETE ON operator_decisions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The primary key allows one use.
CREATE TABLE operator_decision_uses (
  decision_id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  used_at timestamptz NOT NULL,
  FOREIGN KEY (customer_id, environment, decision_id)
    REFERENCES operator_decisions (customer_id, environment, id)
);
COMMENT ON TABLE operator_decision_uses IS
  'The one use of one operator decision. Rows never change and are never deleted.';
CALL secure_scoped_table('operator_decision_uses');
GRANT INSERT ON operator_decision_uses TO causeway_app;
CREATE TRIGGER operator_decision_uses_is_append_only BEFORE UPDATE OR DELETE
  ON operator_decision_uses FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The operators' decision of this payment that the running transaction uses; null where it uses none.
CREATE FUNCTION late_return_decision_in_use(wanted_payment text) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT a.content ->> 'decision' FROM approvals a JOIN approval_uses u ON u.approval_id = a.id
  WHERE a.action = 'LATE_RETURN' AND a.subject_id = wanted_payment AND a.decision = 'APPROVED'
    AND u.used_by_transaction = pg_current_xact_id_if_assigned()
$$;

CREATE TABLE late_returns (
  payment_id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  -- The bank's code, where it is one.
  reason text,
  told_at timestamptz NOT NULL,
  -- What a statement showed, and the ledger holds in suspense. Null while the bank only says so.
  currency text,
  amount bigint CHECK (amount > 0),
  shown_at timestamptz,
  -- What a later line of a statement is that does not go with it: nothing is credited on its account.
  contradicted_by text,
  alarmed_at timestamptz,
  decision text CHECK (decision IN ('CREDIT', 'KEEP')),
  decided_at timestamptz,
  approval_id text,
  CHECK (num_nulls(currency, amount, shown_at) IN (0, 3)),
  CHECK (num_nulls(decision, decided_at, approval_id) IN (0, 3)),
  CONSTRAINT decided_on_money CHECK (decision IS NULL OR amount IS NOT NULL),
  CONSTRAINT contradicted_is_not_credited CHECK (decision <> 'CREDIT' OR contradicted_by IS NULL),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, approval_id)
    REFERENCES approvals (customer_id, environment, id)
);
COMMENT ON TABLE late_returns IS
  'One final payment whose money came back, as the bank says or a statement shows, and what two operators '
  'decided. Rows are never deleted.';
CREATE INDEX late_returns_undecided ON late_returns (told_at, payment_id) WHERE decision IS NULL;
CREATE INDEX late_returns_to_alarm ON late_returns (told_at) WHERE alarmed_at IS NULL;
CALL secure_scoped_table('late_returns');
GRANT INSERT, UPDATE ON late_returns TO causeway_app;
GRANT UPDATE (alarmed_at) ON late_returns TO causeway_system;

-- What is known of a late return stays known, and is decided by two operators.
CREATE FUNCTION guard_late_return() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    RAISE EXCEPTION 'payment %: a late return is decided after it is known', NEW.payment_id
      USING ERRCODE = 'check_violation';
  END IF;
  -- What is known stays known, and a decision is the last of it. The alarm's mark may come after it.
  IF TG_OP = 'UPDATE' AND NOT EXISTS (
    SELECT FROM jsonb_each(to_jsonb(OLD)) AS was (name, value)
    WHERE name <> 'alarmed_at' AND value IS DISTINCT FROM to_jsonb(NEW) -> name
      AND (value <> 'null' OR OLD.decision IS NOT NULL)) THEN
    IF NEW.decision IS DISTINCT FROM OLD.decision
      AND NEW.decision IS DISTINCT FROM late_return_decision_in_use(OLD.payment_id) THEN
      RAISE EXCEPTION 'payment %: what came back late takes two operators', OLD.payment_id
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'payment %: a late return is only ever completed', OLD.payment_id
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER guard_late_return BEFORE UPDATE OR DELETE ON late_returns
  FOR EACH ROW EXECUTE FUNCTION guard_late_return();
CREATE TRIGGER late_return_begins_undecided BEFORE INSERT ON late_returns FOR EACH ROW
  WHEN (num_nonnulls(NEW.decision, NEW.decided_at, NEW.approval_id) > 0)
  EXECUTE FUNCTION guard_late_return();

-- A column that is null stands for all: both environments, every rail, every customer.
CREATE TABLE release_stops (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  environment text CHECK (environment IN ('test', 'live')),
  rail text,
  customer_id text REFERENCES customers,
  reason text NOT NULL,
  stopped_by text NOT NULL,
  stopped_at timestamptz NOT NULL,
  resumed_by text,
  resumed_at timestamptz,
  resume_reason text,
  CHECK (num_nulls(resumed_by, resumed_at, resume_reason) IN (0, 3))
);
COMMENT ON TABLE release_stops IS
  'One stop of releases by an operator, until its resume completes the row. Rows are never deleted.';
CREATE INDEX release_stops_active ON release_stops (id) WHERE resumed_at IS NULL;
ALTER TABLE release_stops ENABLE ROW LEVEL SECURITY;
ALTER TABLE release_stops FORCE ROW LEVEL SECURITY;
CREATE POLICY concerns_scope ON release_stops FOR SELECT TO causeway_app
  USING ((customer_id IS NULL OR customer_id = scope_customer())
    AND (environment IS NULL OR environment = scope_environment()));
CREATE POLICY system_sees_all ON release_stops TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT ON release_stops TO causeway_app;
GRANT SELECT, INSERT, UPDATE ON release_stops TO causeway_system;
CREATE TRIGGER release_stop_is_only_resumed BEFORE UPDATE OR DELETE ON release_stops
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_completion('resumed_by', 'resumed_at', 'resume_reason');

-- During that time the database counts as an older copy of itself: the bank may know transfers that it does not.
CREATE TABLE restore_mode (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  reason text NOT NULL,
  begun_by text NOT NULL,
  begun_at timestamptz NOT NULL,
  -- The last moment that the copy knows of when restore mode begins. Addresses that were given out later are
  -- lost, and what came to them since is read once they are given out again. Null: the copy knows of none.
  copy_until timestamptz,
  ended_by text,
  ended_at timestamptz,
  end_reason text,
  CHECK (num_nulls(ended_by, ended_at, end_reason) IN (0, 3))
);
COMMENT ON TABLE restore_mode IS 'One period in restore mode, from `begin` to `end`. Rows are never deleted.';
CREATE UNIQUE INDEX restore_mode_is_begun_once ON restore_mode ((true)) WHERE ended_at IS NULL;
GRANT SELECT ON restore_mode TO causeway_app;
GRANT SELECT, INSERT, UPDATE ON restore_mode TO causeway_system;
CREATE TRIGGER restore_mode_is_only_ended BEFORE UPDATE OR DELETE ON restore_mode
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_completion('ended_by', 'ended_at', 'end_reason');

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION store_bank_callback OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
