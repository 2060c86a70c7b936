import type { Reader, Rule } from './reader.ts';
import type { Findings } from './verdict.ts';

/** A try may be under way when a mail's time is over, and the reconciler comes after it. */
const GRACE = `interval '15 minutes'`;

const STILL_WAITING = `
  SELECT id AS subject, 'is neither sent nor listed, though its time is over' AS problem
  FROM mails WHERE status = 'WAITING' AND expires_at < now() - ${GRACE}`;

const NOT_TRIED = `
  SELECT id AS subject, 'is SENT without a try' AS problem
  FROM mails WHERE status = 'SENT' AND tries = 0`;

const TOO_LATE = `
  SELECT id AS subject, 'was sent after its time was over' AS problem
  FROM mails WHERE status = 'SENT' AND ended_at > expires_at + ${GRACE}`;

const WITHOUT_REASON = `
  SELECT id AS subject, 'is FAILED, and nothing says why' AS problem
  FROM mails WHERE status = 'FAILED' AND failure IS NULL`;

const RULES: readonly Rule[] = [STILL_WAITING, NOT_TRIED, TOO_LATE, WITHOUT_REASON].map((sql) => ({
  sql,
}));

/** I17: each mail is sent, or listed FAILED or expired. */
export function mailsEnd(reader: Reader): Promise<Findings> {
  return reader.look('SELECT count(*) AS checked FROM mails', RULES);
}
