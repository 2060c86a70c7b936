import { randomBytes } from 'node:crypto';
import { insertBankAccount } from '../../src/db/parties/bank-account-store.ts';
import type { Database, ScopedTransaction } from '../../src/db/client/database.ts';
import { insertEndUser } from '../../src/db/parties/end-user-store.ts';
import { newId } from '../../src/db/client/new-id.ts';
import type { NewFunding } from '../../src/db/payments/payment-funding-store.ts';
import type { PaymentRow } from '../../src/db/payments/payment-store.ts';
import type { QuoteRow } from '../../src/db/payments/quote-store.ts';
import { findScreeningList } from '../../src/db/parties/screening-list-store.ts';
import { writeScreening } from '../../src/db/parties/screening-party-store.ts';
import { insertAttempt, type AttemptRow } from '../../src/db/payments/settlement-attempt-store.ts';
import { createCorridorTable } from '../../src/domain/payments/corridors/corridor-table.ts';
import { systemActor } from '../../src/domain/actor.ts';
import { attemptClaimed, readyAttempt } from '../../src/domain/payments/attempt.ts';
import { settleByReport } from '../../src/domain/payments/settle-by-report.ts';
import type { SettlementTiming } from '../../src/domain/payments/settlement-timing.ts';
import type { TransferStatus } from '../../src/domain/payments/transfer-report.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { fundBalance } from '../../src/modules/ledger/fund-balance.ts';
import { changePayment } from '../../src/modules/payments/change-payment.ts';
import { settlementOf } from '../../src/modules/payments/locked-payment.ts';
import { saveAttempt, takeSteps } from '../../src/modules/payments/take-steps.ts';
import { storeQueuedPayment } from './first-version.ts';
import { addCustomer } from './test-customer.ts';
import { createTestVault } from './test-vault.ts';

/**
 * How far a seeded payment has come. QUEUED: without an attempt; READY: with one of which nothing was
 * sent; UNKNOWN: sent, and the bank did not answer.
 */
export type Fate =
  'QUEUED' | 'READY' | 'NOT_SENT' | 'UNKNOWN' | 'ACCEPTED' | 'COMPLETED' | 'RETURNED' | 'FAILED';

export interface Seeded {
  readonly id: string;
  /** Of its first attempt. */
  readonly reference: string;
}

export interface SeedOrder {
  readonly fate: Fate;
  readonly at: Date;
  /** That of a payment that was lost in a restore: its key gave the same reference. */
  readonly id?: string;
  readonly amount?: bigint;
  readonly currency?: string;
  /** SEPA unless given. */
  readonly rail?: string;
  /** Goes to it, and to no account. */
  readonly walletId?: string;
  /** Pays by it. */
  readonly quote?: QuoteRow;
  /** Waits for it, and its balance does not pay: what is due is its amount. */
  readonly funding?: Omit<NewFunding, 'paymentId' | 'amountDue'>;
}

export interface PayingCustomer {
  readonly scope: Scope;
  pay(overrides: SeedOrder): Promise<Seeded>;
  /**
   * Many COMPLETED payments of 1.00 EUR at once, without ledger. `analyze` is called once PostgreSQL
   * has so much to plan for that it would go on planning for an empty table.
   */
  payMany(count: number, at: Date, analyze: () => Promise<void>): Promise<readonly Seeded[]>;
}

const RAIL = 'SEPA';

/** A customer with money in every currency that it pays in, an end-user and a bank account. */
export async function seedPayingCustomer(
  db: Database,
  environment: Scope['environment'] = 'test',
): Promise<PayingCustomer> {
  const scope: Scope = { customerId: await db.system((tx) => addCustomer(tx)), environment };
  const at = new Date('2026-01-01T00:00:00.000Z');
  const owners = { endUserId: newId('eu'), bankAccountId: newId('ba') };
  await db.system((tx) =>
    tx.query(
      `INSERT INTO screening_lists (environment, version, since) VALUES ($1, 'sample', $2)
       ON CONFLICT DO NOTHING`,
      [environment, at],
    ),
  );
  await db.write(scope, async (tx) => {
    const personal = randomBytes(40);
    const endUser = { id: owners.endUserId, type: 'INDIVIDUAL', externalId: null } as const;
    const ownerKey = createTestVault().newOwnerKey(owners.endUserId);
    await insertEndUser(tx, scope, { ...endUser, personal, ownerKey, at });
    await insertBankAccount(tx, scope, {
      id: owners.bankAccountId,
      endUserId: owners.endUserId,
      country: 'DE',
      currency: 'EUR',
      rail: RAIL,
      holderType: 'INDIVIDUAL',
      fingerprint: 'sample',
      personal,
      bankName: null,
      at,
    });
    await clearOwners(tx, scope, owners, at);
    for (const currency of ['EUR', 'USD']) {
      await fundBalance(tx, scope, { currency, amount: 1_000_000_000n, rail: RAIL }, at);
    }
  });
  return {
    scope,
    pay: (overrides) => db.write(scope, (tx) => seedPayment(tx, scope, owners, overrides)),
    async payMany(count, seenAt, analyze) {
      await db.write(scope, (tx) => seedManyRows(tx, scope, owners, count, seenAt));
      await analyze();
      return db.write(scope, (tx) => seedManyFates(tx, scope, count, seenAt));
    },
  };
}

/** As if nothing had been found about them: no key opens their names. */
async function clearOwners(
  tx: ScopedTransaction,
  scope: Scope,
  { endUserId, bankAccountId }: Owners,
  at: Date,
): Promise<void> {
  const list = (await findScreeningList(tx, scope.environment))?.version ?? null;
  const cleared = { status: 'CLEAR', list, at } as const;
  await writeScreening(tx, scope, { kind: 'END_USER', id: endUserId }, cleared);
  await writeScreening(tx, scope, { kind: 'BANK_ACCOUNT', id: bankAccountId }, cleared);
}

type Owners = Pick<PaymentRow, 'endUserId'> & { readonly bankAccountId: string };

async function seedPayment(
  tx: ScopedTransaction,
  scope: Scope,
  owners: Owners,
  overrides: SeedOrder,
): Promise<Seeded> {
  const { fate, at } = overrides;
  const queued = await storeQueuedPayment(tx, scope, { ...owners, ...overrides });
  const { id } = queued;
  const reference = `CW${id.slice('pay_'.length).toUpperCase()}01`;
  if (fate === 'QUEUED') return { id, reference };
  const ready: AttemptRow = {
    ...readyAttempt(reference, at),
    ...{ paymentId: id, number: 1, rail: overrides.rail ?? RAIL },
    encodedTransfer: createTestVault().seal(randomBytes(8), `settlement_attempts/${reference}`),
  };
  const attempt = fate === 'READY' ? ready : attemptClaimed(ready, at, TIMING);
  await insertAttempt(tx, scope, attempt);
  if (fate === 'READY') return { id, reference };
  const corridors = createCorridorTable();
  const queuedOne = {
    tx,
    scope,
    corridors,
    now: at,
    payment: queued,
    attempts: [attempt],
    book: null,
  };
  const claim = { statusDetail: 'SUBMITTING', hasOpenAttempt: true } as const;
  let locked = await changePayment(queuedOne, claim, systemActor('settlement'));
  if (fate === 'NOT_SENT' || fate === 'UNKNOWN') {
    await saveAttempt(locked, { ...attempt, phase: fate });
    return { id, reference };
  }
  for (const status of REPORTS[fate]) {
    const report = {
      ...{ status, bankReference: null, returnedAmount: null, at: null },
      reason: status === 'REJECTED' ? 'AC04' : null,
    };
    const [known] = locked.attempts;
    if (known === undefined) throw new Error('the attempt is gone');
    const callback = { kind: 'CALLBACK' } as const;
    const { steps } = settleByReport(settlementOf(locked, known), report, callback, at);
    locked = await takeSteps(locked, steps, systemActor('bank-callback'));
  }
  return { id, reference };
}

const TIMING = { attemptDeadlineMs: 10_000 } as SettlementTiming;

const REPORTS: Readonly<
  Record<Exclude<Fate, 'QUEUED' | 'READY' | 'NOT_SENT' | 'UNKNOWN'>, readonly TransferStatus[]>
> = {
  ACCEPTED: ['ACCEPTED'],
  COMPLETED: ['SETTLED'],
  RETURNED: ['SETTLED', 'RETURNED'],
  FAILED: ['REJECTED'],
};

async function seedManyRows(
  tx: ScopedTransaction,
  scope: Scope,
  owners: Owners,
  count: number,
  at: Date,
): Promise<void> {
  const { customerId, environment } = scope;
  await tx.query(
    `INSERT INTO payments (id, customer_id, environment, end_user_id, bank_account_id,
       idempotency_key, workflow_id, rail, currency, amount, source_currency, source_amount,
       personal, status, status_detail, funds_status, finality, final_due_at, created_at, updated_at)
     SELECT 'pay_' || lpad(n::text, 26, '0'), $1, $2, $3, $4, 'many-' || n, 'payment/many/' || n,
       $5, 'EUR', 100, 'EUR', 100, '\\x00', 'COMPLETED', 'DELIVERED', 'DELIVERED', 'PROVISIONAL',
       $6::timestamptz + interval '30 days', $6, $6
     FROM generate_series(1, $7::int) n`,
    [customerId, environment, owners.endUserId, owners.bankAccountId, RAIL, at, count],
  );
}

async function seedManyFates(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  count: number,
  at: Date,
): Promise<readonly Seeded[]> {
  await tx.query(
    `INSERT INTO payment_history (customer_id, environment, payment_id, version, status,
       status_detail, funds_status, reconciliation_status, actor, at)
     SELECT $1, $2, 'pay_' || lpad(n::text, 26, '0'), 1, 'COMPLETED', 'DELIVERED', 'DELIVERED',
       'PENDING', 'seed', $3
     FROM generate_series(1, $4::int) n`,
    [customerId, environment, at, count],
  );
  await tx.query(
    `INSERT INTO settlement_attempts (reference, customer_id, environment, payment_id, number, rail,
       request, phase, sent_at, deadline_at, ask_base_at, settled_at, created_at, updated_at)
     SELECT 'CW' || lpad(n::text, 26, '0') || '01', $1, $2, 'pay_' || lpad(n::text, 26, '0'), 1, $3,
       '\\x00', 'SETTLED', $4, $4, $4, $4, $4, $4
     FROM generate_series(1, $5::int) n`,
    [customerId, environment, RAIL, at, count],
  );
  return Array.from({ length: count }, (_none, index) => {
    const number = String(index + 1).padStart(26, '0');
    return { id: `pay_${number}`, reference: `CW${number}01` };
  });
}
