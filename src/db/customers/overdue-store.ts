import type { OverdueKind } from '../../domain/notices/overdue.ts';
import { idsFrom } from '../../domain/id-time.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import type { SystemTransaction } from '../client/database.ts';
import { IS_ANSWERED } from '../reconciliation/statement-exception-store.ts';

/** Rows of a kind that one run reads: more are told of by the next. */
export const OVERDUE_MAX = 10_000;

/** Ids of a kind that a mail names. */
const EXAMPLES = 3;

const SINCE = 'coalesce(p.held_since, p.updated_at)';
const live = (table: string) => `${table} WHERE environment = 'live'`;

/** Where each kind is found, and since when it waits. `:before` is the moment before which that is too long. */
const ROWS: Readonly<
  Record<OverdueKind, { readonly id: string; readonly since: string; readonly from: string }>
> = {
  PAYMENT_QUIET: {
    ...{ id: 'p.id', since: `greatest(${SINCE}, p.release_at)` },
    // One that waits for a deposit is late once the time for it is over.
    from: `payments p WHERE p.environment = 'live' AND p.status = 'PROCESSING' AND ${SINCE} < :before
      AND NOT EXISTS (SELECT FROM payment_fundings f WHERE f.payment_id = p.id AND f.status = 'AWAITED'
        AND f.expires_at >= :before)`,
  },
  PAYMENT_LATE: {
    ...{ id: 'p.id', since: SINCE },
    from: `payments p
      LEFT JOIN bank_accounts b ON (b.customer_id, b.environment, b.id) = (p.customer_id, p.environment, p.bank_account_id)
      LEFT JOIN unnest(:countries::text[], :currencies::text[], :rails::text[], :moments::timestamptz[])
        AS c (country, currency, rail, late) ON (c.country, c.currency, c.rail) = (b.country, p.currency, p.rail)
      WHERE p.environment = 'live' AND p.status = 'SENT' AND ${SINCE} < :newest
        AND ${SINCE} < coalesce(c.late, :otherwise)`,
  },
  PAYMENT_HELD_BY_RAIL: heldFor(':byRail'),
  PAYMENT_HELD: heldFor(':byOthers'),
  PAYMENT_UNRECONCILED: {
    ...{ id: 'p.id', since: 'p.updated_at' },
    // Ids begin with their time, but for those that deposits pay for, which lie anywhere: above all times of today.
    from: `payments p WHERE p.environment = 'live' AND p.reconciliation_status = 'PENDING'
      AND p.status IN ('COMPLETED', 'RETURNED') AND (p.id < :oldIds OR p.id >= :laterIds)`,
  },
  PAYMENT_NOT_FINAL: {
    ...{ id: 'id', since: 'final_due_at' },
    from: `${live('payments')} AND finality = 'PROVISIONAL' AND reconciliation_status = 'RECONCILED'
      AND final_due_at < :before`,
  },
  LATE_RETURN: {
    ...{ id: 'payment_id', since: 'told_at' },
    from: `${live('late_returns')} AND decision IS NULL`,
  },
  CREDIT_UNMATCHED: {
    ...{ id: 'id', since: 'received_at' },
    from: `${live('incoming_credits')} AND outcome IS NULL`,
  },
  LINE_EXCEPTION: {
    ...{
      id: `concat_ws('/', l.statement_id, l.line)`,
      since: 'coalesce(l.judged_at, s.listed_at)',
    },
    from: `statement_lines l JOIN statements s ON s.id = l.statement_id
      WHERE s.environment = 'live' AND l.outcome = 'EXCEPTION' AND l.payment_id IS NULL AND NOT ${IS_ANSWERED}`,
  },
  STATEMENT_UNREAD: {
    ...{ id: 'id::text', since: 'listed_at' },
    from: `${live('statements')} AND status NOT IN ('RECONCILED', 'REFUSED') AND status <> 'UNREADABLE'`,
  },
  STATEMENT_REFUSED: {
    ...{ id: 'id::text', since: 'listed_at' },
    from: `${live('statements')} AND problems <> '[]' AND status IN ('REFUSED', 'UNREADABLE')`,
  },
  BATCH_RUNNING: {
    ...{ id: 'id', since: 'created_at' },
    from: `${live('payment_batches')} AND status = 'PROCESSING'`,
  },
  RELEASE_STOP: {
    ...{ id: 'id::text', since: 'stopped_at' },
    from: `release_stops WHERE resumed_at IS NULL AND environment IS DISTINCT FROM 'test'`,
  },
  TRANSFER_WAITING: {
    ...{ id: 'reference', since: 'created_at' },
    from: `${live('chain_transfers')} AND state IN ('WAITING', 'CARRIED')`,
  },
  TRANSFER_NOT_FINAL: {
    ...{ id: 'reference', since: 'updated_at' },
    from: `${live('chain_transfers')} AND state = 'SETTLED'`,
  },
  DEPOSIT_NOT_FINAL: {
    ...{ id: 'id', since: 'created_at' },
    from: `${live('deposits')} AND status IN ('SEEN', 'CREDITED') AND review IS DISTINCT FROM 'HELD'`,
  },
  DEPOSIT_SET_ASIDE: {
    ...{ id: `concat_ws('/', network, tx_hash, ordinal)`, since: 'since' },
    from: live('set_aside_deposits'),
  },
  SIGNER_ACCOUNT_FROZEN: {
    ...{ id: `concat_ws('/', network, address)`, since: 'updated_at' },
    from: `${live('chain_signer_accounts')} AND status = 'FROZEN'`,
  },
  LOW_GAS: {
    ...{
      id: `concat_ws('/', network, address)`,
      since: 'coalesce(low_on_gas_since, gas_looked_at)',
    },
    // An idle network is not looked at, and nothing waits for gas there.
    from: `${live('chain_signer_accounts')} AND status = 'OPEN' AND is_low_on_gas
      AND gas_looked_at > :now::timestamptz - interval '1 day'`,
  },
  SCREENING_CASE: {
    ...{ id: 'id', since: 'opened_at' },
    from: `${live('screening_cases')} AND outcome IS NULL`,
  },
  KYC_IN_REVIEW: {
    ...{ id: 'id', since: 'updated_at' },
    from: `${live('kyc_checks')} AND status = 'IN_REVIEW'`,
  },
  KYC_UNANSWERED: {
    ...{ id: 'id', since: 'updated_at' },
    from: `${live('kyc_checks')} AND status IN ('PENDING', 'RESUBMISSION_REQUIRED')`,
  },
  APPROVAL_WAITING: {
    ...{ id: 'id', since: 'coalesce(taken_up_at, proposed_at)' },
    from: `${live('approvals')} AND decision IS NULL AND expires_at > :now`,
  },
  APPROVAL_NOT_IN_EFFECT: {
    ...{ id: 'id', since: 'decided_at' },
    from: `${live('approvals a')} AND decision = 'APPROVED' AND void_at IS NULL AND expires_at > :now
      AND NOT EXISTS (SELECT FROM approval_uses u WHERE u.approval_id = a.id)`,
  },
  ENDPOINT_DISABLED: {
    ...{ id: 'id', since: 'disabled_at' },
    from: `${live('webhook_endpoints')} AND status = 'DISABLED' AND disabled_reason <> 'REQUESTED'`,
  },
};

function heldFor(details: string) {
  return {
    ...{ id: 'p.id', since: SINCE },
    from: `payments p WHERE p.environment = 'live' AND p.status = 'ON_HOLD' AND ${SINCE} < :before
      AND p.status_detail = ANY (${details}::text[])`,
  };
}

/** Until when a payment over a corridor had to become SENT to be late now. */
export interface LateCorridor {
  readonly country: string;
  readonly currency: string;
  readonly rail: string;
  readonly late: Date;
}

/** What the queries of all kinds are given. */
export interface OverdueFacts {
  readonly now: Date;
  /** What waits since before it waits too long. */
  readonly before: Date;
  readonly corridors: readonly LateCorridor[];
  /** The same of payments whose corridor promises no arrival. */
  readonly otherwise: Date;
  /** Details of ON_HOLD, by notice. */
  readonly byRail: readonly string[];
  readonly byOthers: readonly string[];
}

interface OverdueCount {
  /** At most OVERDUE_MAX. */
  readonly count: number;
  readonly oldest: Date | null;
}

/** How many of a kind wait too long, and since when the longest of them waits. */
export async function countOverdue(
  tx: SystemTransaction,
  kind: OverdueKind,
  facts: OverdueFacts,
): Promise<OverdueCount> {
  const { id, since, from } = ROWS[kind];
  const rows = await tx.query<OverdueCount>(
    `SELECT count(*)::int AS count, min(since) AS oldest FROM (
       SELECT ${id} AS id, ${since} AS since FROM ${from} AND ${since} < ${limitOf(kind)}
       LIMIT ${String(OVERDUE_MAX)}) AS overdue WHERE ${ALL_USED}`,
    parametersOf(facts),
  );
  return rows[0] ?? { count: 0, oldest: null };
}

interface ToldOverdue {
  readonly count: number;
  /** Ids of some of them. */
  readonly examples: readonly string[];
}

/** Those of which operators were not told on this day (UTC); they are told of now. */
export async function noteOverdue(
  tx: SystemTransaction,
  kind: OverdueKind,
  facts: OverdueFacts,
): Promise<ToldOverdue> {
  const { id, since, from } = ROWS[kind];
  const day = new Date(facts.now);
  day.setUTCHours(0, 0, 0, 0);
  const rows = await tx.query<ToldOverdue>(
    `WITH told AS (
       INSERT INTO operator_notices AS n (kind, subject_id, told_at)
       SELECT :kind, id, :now FROM (
         SELECT ${id} AS id FROM ${from} AND ${since} < ${limitOf(kind)}
           -- NOT IN is hashed; an anti join may read all notices of the day for each row.
           AND ${id} NOT IN (SELECT t.subject_id FROM operator_notices t WHERE t.kind = :kind AND t.told_at >= :day)
         LIMIT ${String(OVERDUE_MAX)}) AS overdue
       WHERE ${ALL_USED} ORDER BY id
       ON CONFLICT (kind, subject_id) DO UPDATE SET told_at = excluded.told_at WHERE n.told_at < :day
       RETURNING subject_id)
     SELECT count(*)::int AS count,
       coalesce((array_agg(subject_id ORDER BY subject_id))[1:${String(EXAMPLES)}], '{}') AS examples FROM told`,
    { ...parametersOf(facts), kind, day },
  );
  return rows[0] ?? { count: 0, examples: [] };
}

/** That of a late payment was judged by its corridor. */
const limitOf = (kind: OverdueKind) =>
  kind === 'PAYMENT_LATE' ? ':now::timestamptz' : ':before::timestamptz';

/** Each kind uses some of the parameters; PostgreSQL wants to know the types of all. */
const ALL_USED = `num_nulls(:now::timestamptz, :before::timestamptz, :countries::text[], :currencies::text[], :rails::text[],
  :moments::timestamptz[], :otherwise::timestamptz, :newest::timestamptz, :byRail::text[], :byOthers::text[],
  :oldIds::text, :laterIds::text) = 0`;

const DAY_MS = 24 * 3_600_000;

function parametersOf({ now, before, corridors, otherwise, byRail, byOthers }: OverdueFacts) {
  const newest = Math.max(otherwise.getTime(), ...corridors.map(({ late }) => late.getTime()));
  return {
    ...{ now, before, otherwise, newest: new Date(newest) },
    countries: corridors.map(({ country }) => country),
    currencies: corridors.map(({ currency }) => currency),
    rails: corridors.map(({ rail }) => rail),
    moments: corridors.map(({ late }) => late.toISOString()),
    byRail: [...byRail],
    byOthers: [...byOthers],
    oldIds: idsFrom(ID_PREFIXES.payment, before.getTime()),
    laterIds: idsFrom(ID_PREFIXES.payment, now.getTime() + DAY_MS),
  };
}
