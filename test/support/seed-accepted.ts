import pg from 'pg';
import { idsFrom } from '../../src/domain/id-time.ts';
import type { Scope } from '../../src/domain/scope.ts';

export interface AcceptedSpan {
  readonly scope: Scope;
  readonly endUserId: string;
  readonly bankAccountId: string;
  readonly count: number;
  /** The first is accepted at `from`, the others evenly until `until`. */
  readonly from: Date;
  readonly until: Date;
  /** Tells the payments of several calls apart: from 0. */
  readonly series: number;
  /** EUR unless given. */
  readonly currency?: string;
  /** SQL over `n`, which counts them from 0; COMPLETED unless given. */
  readonly status?: string;
}

/** Rows of a statement: more of them at once may take longer than one may. */
const PART = 1_000;

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Bare payments of n + 1 minor units whose ids were made at given times, as UUIDv7 has it: without history,
 * ledger and events. Writes as the database's owner.
 */
export async function seedAccepted(url: string, span: AcceptedSpan): Promise<void> {
  const { scope, count, series, currency = 'EUR', status = `'COMPLETED'` } = span;
  const [fromMs, untilMs] = [span.from.getTime(), span.until.getTime()];
  const digit = (value: string) => `substr('${DIGITS}', (${value})::int + 1, 1)`;
  const digits = (value: string, many: number) =>
    Array.from({ length: many }, (_none, index) =>
      digit(`(${value} >> ${String(5 * (many - 1 - index))}) & 31`),
    ).join(' || ');
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    let only: { readonly id: string } | undefined;
    for (let first = 0; first < count; first += PART) {
      const { rows } = await admin.query<{ id: string }>(
        `INSERT INTO payments (id, customer_id, environment, end_user_id, bank_account_id,
           idempotency_key, workflow_id, rail, currency, amount, source_currency, source_amount,
           personal, status, status_detail, funds_status, created_at, updated_at)
         SELECT 'pay_' || ${digits('ms', 10)} || ${digits(String(series), 4)} || ${digits('n', 12)},
           $1, $2, $3, $4, 'accepted-${series}-' || n, 'payment/accepted/${series}/' || n || $1 || $2,
           'SEPA', $5, n + 1, $5, n + 1, '\\x00', ${status}, 'QUEUED', 'HELD',
           to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0)
         FROM (SELECT n, $6::bigint + n * ($7::bigint - $6) / $8 AS ms
               FROM generate_series($9::bigint, $10::bigint - 1) n) AS numbered
         ORDER BY n ${count === 1 ? 'RETURNING id' : ''}`,
        [
          ...[scope.customerId, scope.environment, span.endUserId, span.bankAccountId, currency],
          ...[fromMs, untilMs, count, first, Math.min(first + PART, count)],
        ],
      );
      [only] = rows;
    }
    if (only !== undefined && !only.id.startsWith(idsFrom('pay', fromMs))) {
      throw new Error('the id does not say its time');
    }
  } finally {
    await admin.end();
  }
}
