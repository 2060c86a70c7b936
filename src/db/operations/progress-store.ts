import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';
import { IS_ANSWERED } from '../reconciliation/statement-exception-store.ts';

/** How much there is of something, and since when its oldest has waited. */
export interface Standing {
  readonly count: number;
  /** Null where there is none. */
  readonly oldest: Date | null;
}

/** Unfinished payments of a status that are read: beyond them counts stay as they are. */
const PAYMENTS_MAX = 100_000;
/** Exceptions that are read, the newest first, ended ones included. */
const LINES_MAX = 5_000;
const MAILS_MAX = 10_000;

const OPEN_STATUSES = ['PROCESSING', 'ON_HOLD', 'SENT'] as const;

const SINCE = 'coalesce(held_since, updated_at)';

/** One that is for a later day waits from that day on. Literals: each status is read along one index. */
const openPayments = (environment: Environment, status: (typeof OPEN_STATUSES)[number]) => `
  (SELECT environment, status, status_detail, greatest(${SINCE}, release_at) AS since,
     CASE WHEN funds_status = 'UNKNOWN' THEN coalesce((SELECT a.unknown_since FROM settlement_attempts a
       WHERE a.payment_id = p.id AND a.phase IN ('READY', 'SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED')), updated_at)
     END AS unknown_since
   FROM payments p WHERE environment = '${environment}' AND status = '${status}'
   ORDER BY ${SINCE} LIMIT ${String(PAYMENTS_MAX)})`;

const OPEN_PAYMENTS = (['live', 'test'] as const)
  .flatMap((environment) => OPEN_STATUSES.map((status) => openPayments(environment, status)))
  .join(' UNION ALL ');

interface OpenPayments extends Standing {
  readonly environment: Environment;
  readonly status: string;
  readonly state: string;
  /** Those of which nobody knows whether the bank paid. */
  readonly unknown: number;
  readonly unknownSince: Date | null;
}

/** Unfinished payments by their status and its detail. */
export function readOpenPayments(tx: SystemTransaction): Promise<OpenPayments[]> {
  return tx.query<OpenPayments>(
    `SELECT environment, status, status_detail AS state, count(*)::int AS count, min(since) AS oldest,
       count(unknown_since)::int AS unknown, min(unknown_since) AS "unknownSince"
     FROM (${OPEN_PAYMENTS}) AS open GROUP BY 1, 2, 3`,
  );
}

interface DueDeliveries extends Standing {
  readonly environment: Environment;
  /** Due since; null where none is due. Of endpoints that answer: `count` and `oldest` are of those that fail. */
  readonly dueSince: Date | null;
}

/** What is due to enabled endpoints, and which of these fail. Each endpoint costs two looks at an index. */
export function readDueDeliveries(tx: SystemTransaction, now: Date): Promise<DueDeliveries[]> {
  return tx.query<DueDeliveries>(
    `SELECT e.environment, count(DISTINCT e.id) FILTER (WHERE e.failing_since IS NOT NULL)::int AS count,
       min(e.failing_since) AS oldest, min(d.due) FILTER (WHERE e.failing_since IS NULL) AS "dueSince"
     FROM webhook_endpoints e LEFT JOIN LATERAL (
       (SELECT next_attempt_at AS due FROM webhook_deliveries
        WHERE endpoint_id = e.id AND status = 'PENDING' AND attempts = 0 ORDER BY seq LIMIT 1)
       UNION ALL
       (SELECT next_attempt_at FROM webhook_deliveries
        WHERE endpoint_id = e.id AND status = 'PENDING' AND attempts > 0 AND next_attempt_at <= :now
        ORDER BY next_attempt_at, seq LIMIT 1)) AS d ON true
     WHERE e.status = 'ENABLED' GROUP BY 1`,
    { now },
  );
}

interface OpenExceptions extends Standing {
  readonly environment: Environment;
  readonly kind: string;
}

/** Lines of statements that are exceptions, concern no payment, and have not ended. */
export function readOpenExceptions(tx: SystemTransaction): Promise<OpenExceptions[]> {
  return tx.query<OpenExceptions>(
    `SELECT s.environment, l.exception AS kind, count(*)::int AS count,
       min(coalesce(l.judged_at, s.listed_at)) AS oldest
     FROM (SELECT * FROM statement_lines WHERE outcome = 'EXCEPTION' AND payment_id IS NULL
         ORDER BY statement_id DESC, line LIMIT ${String(LINES_MAX)}) AS l
       JOIN statements s ON s.id = l.statement_id
     WHERE NOT ${IS_ANSWERED} GROUP BY 1, 2`,
  );
}

interface SignerNonces extends Standing {
  readonly environment: Environment;
  readonly network: string;
}

/** Nonces of signer accounts that no block has taken, by network. */
export function readOpenNonces(tx: SystemTransaction): Promise<SignerNonces[]> {
  return tx.query<SignerNonces>(
    `SELECT environment, network, count(*)::int AS count, min(created_at) AS oldest
     FROM chain_nonces WHERE state = 'OPEN' GROUP BY 1, 2`,
  );
}

interface SignerAccounts {
  readonly environment: Environment;
  readonly network: string;
  readonly status: string;
  readonly count: number;
}

export function readSignerAccounts(tx: SystemTransaction): Promise<SignerAccounts[]> {
  return tx.query<SignerAccounts>(
    `SELECT environment, network, status, count(*)::int AS count
     FROM chain_signer_accounts GROUP BY 1, 2, 3`,
  );
}

/** Mails that wait to be sent. */
export async function readWaitingMails(tx: SystemTransaction): Promise<Standing> {
  const [row] = await tx.query<Standing>(
    `SELECT count(*)::int AS count, min(created_at) AS oldest
     FROM (SELECT created_at FROM mails WHERE status = 'WAITING' ORDER BY id LIMIT ${String(MAILS_MAX)}) AS waiting`,
  );
  return row ?? { count: 0, oldest: null };
}

/** Whose statements are fetched. */
export interface StatementOrigins {
  readonly environment: Environment;
  readonly connector: string;
}

/** When the newest statement of each was listed; those without one are left out. */
export function readNewestStatements(
  tx: SystemTransaction,
  origins: readonly StatementOrigins[],
): Promise<(StatementOrigins & { readonly listedAt: Date })[]> {
  return tx.query(
    `SELECT o.environment, o.connector, s.listed_at AS "listedAt"
     FROM unnest(:environments::text[], :connectors::text[]) AS o (environment, connector)
       CROSS JOIN LATERAL (SELECT listed_at FROM statements s
         WHERE s.environment = o.environment AND s.connector = o.connector
         ORDER BY s.id DESC LIMIT 1) AS s`,
    {
      environments: origins.map(({ environment }) => environment),
      connectors: origins.map(({ connector }) => connector),
    },
  );
}

/** When the oldest row of the audit log that no seal covers was written; null where all are sealed. */
export async function readUnsealedSince(tx: SystemTransaction): Promise<Date | null> {
  const [row] = await tx.query<{ at: Date }>(
    `SELECT at FROM audit_log
     WHERE id > coalesce((SELECT last_id FROM audit_seals ORDER BY number DESC LIMIT 1), 0)
     ORDER BY id LIMIT 1`,
  );
  return row?.at ?? null;
}
