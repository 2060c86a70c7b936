import pg from 'pg';
import type { PaymentStatus } from '../../src/domain/payments/payment-states.ts';
import type { Scope } from '../../src/domain/scope.ts';

/** How the payments of a big table come about: SQL over `n`, which counts them from 1. */
export interface PaymentTable {
  readonly scope: Scope;
  readonly count: number;
  /** 1 unless rows are added to a table that has some. */
  readonly firstNumber?: number;
  /** The first one's; the others follow a minute apart. */
  readonly from: Date;
  readonly endUserId: string;
  readonly bankAccountId: string;
  readonly externalId: string;
  readonly status: string;
}

export interface SeededPayment {
  readonly id: string;
  readonly seq: string;
  readonly endUserId: string;
  readonly bankAccountId: string;
  readonly externalId: string | null;
  readonly idempotencyKey: string;
  readonly status: PaymentStatus;
  readonly createdAt: Date;
}

/** Fills the table with bare rows, without history, ledger and events, and analyses it. */
export async function seedPaymentTable(url: string, table: PaymentTable): Promise<SeededPayment[]> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    const { customerId, environment } = table.scope;
    const { rows } = await admin.query<SeededPayment>(
      `INSERT INTO payments (id, customer_id, environment, end_user_id, bank_account_id,
         idempotency_key, workflow_id, rail, currency, amount, source_currency, source_amount,
         external_id, personal, status, status_detail, funds_status, held_since, created_at,
         updated_at)
       SELECT 'pay_' || lpad(n::text, 26, '0'), $1, $2, ${table.endUserId}, ${table.bankAccountId},
         'key-' || n, 'payment/table/' || n, 'SEPA', 'EUR', 100, 'EUR', 100, ${table.externalId},
         '\\x00', ${table.status}, 'QUEUED', 'HELD',
         CASE WHEN ${table.status} = 'ON_HOLD' THEN $3::timestamptz + (n - $5::int + 1) * interval '1 minute' END,
         $3::timestamptz + (n - $5::int + 1) * interval '1 minute', $3::timestamptz + (n - $5::int + 1) * interval '1 minute'
       FROM generate_series($5::int, $5::int + $4::int - 1) n ORDER BY n
       RETURNING id, seq::text, end_user_id AS "endUserId", bank_account_id AS "bankAccountId",
         external_id AS "externalId", idempotency_key AS "idempotencyKey", status,
         created_at AS "createdAt"`,
      [customerId, environment, table.from, table.count, table.firstNumber ?? 1],
    );
    await admin.query('ANALYZE');
    return rows;
  } finally {
    await admin.end();
  }
}
