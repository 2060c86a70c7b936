-- A payment for a later day: the day that was ordered, and the moment from which it may leave. It has no
-- attempt before it is released. Every older row has neither, so that nothing is left to validate.
ALTER TABLE payments ADD COLUMN scheduled_for date, ADD COLUMN release_at timestamptz;
ALTER TABLE payments ADD CONSTRAINT a_schedule_has_day_and_moment
  CHECK ((scheduled_for IS NULL) = (release_at IS NULL)) NOT VALID;

CREATE FUNCTION refuse_other_schedule() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payment %: when it was ordered for cannot change', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
-- Asked only by a statement that names one of the columns, which none of ours does.
CREATE TRIGGER refuse_other_schedule BEFORE UPDATE OF scheduled_for, release_at ON payments
  FOR EACH ROW WHEN (ROW(OLD.scheduled_for, OLD.release_at)
    IS DISTINCT FROM ROW(NEW.scheduled_for, NEW.release_at))
  EXECUTE FUNCTION refuse_other_schedule();

-- Nothing is sent before its day, by a worker of the version before either, which knows no schedule. The
-- attempt of a payment that is due at once is READY when it is written and is not looked at.
CREATE FUNCTION refuse_early_release() RETURNS trigger LANGUAGE plpgsql AS $$
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
