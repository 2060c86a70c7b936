import { railOf } from '../../../../src/domain/payments/payment-destination.ts';
import { randomBytes } from 'node:crypto';
import { bankAccountEvent } from '../../../../src/modules/parties/bank-accounts/bank-account-view.ts';
import { insertBankAccount } from '../../../../src/db/parties/bank-account-store.ts';
import type { Database, ScopedTransaction } from '../../../../src/db/client/database.ts';
import { insertEndUser } from '../../../../src/db/parties/end-user-store.ts';
import { recordEvent } from '../../../../src/db/webhooks/event-store.ts';
import { newId } from '../../../../src/db/client/new-id.ts';
import type { QuoteRow } from '../../../../src/db/payments/quote-store.ts';
import {
  insertAttempt,
  type AttemptRow,
} from '../../../../src/db/payments/settlement-attempt-store.ts';
import { createCorridorTable } from '../../../../src/domain/payments/corridors/corridor-table.ts';
import { systemActor } from '../../../../src/domain/actor.ts';
import {
  attemptClaimed,
  readyAttempt,
  type AttemptPhase,
} from '../../../../src/domain/payments/attempt.ts';
import type { PaymentChange } from '../../../../src/domain/payments/payment.ts';
import type { PaymentStatus } from '../../../../src/domain/payments/payment-states.ts';
import type { Scope } from '../../../../src/domain/scope.ts';
import { endUserEvent } from '../../../../src/modules/parties/end-users/end-user-view.ts';
import { fundBalance } from '../../../../src/modules/ledger/fund-balance.ts';
import { changePayment } from '../../../../src/modules/payments/change-payment.ts';
import type { LockedPayment } from '../../../../src/modules/payments/locked-payment.ts';
import { saveAttempt } from '../../../../src/modules/payments/take-steps.ts';
import { rotateApiKey } from '../../../../src/modules/customers/rotate-api-key.ts';
import { addApiKey, setLiveAccess } from '../../test-customer.ts';
import { createTestVault } from '../../test-vault.ts';
import { approveWithin } from '../../approve-end-user.ts';
import { addQuote } from '../../sample-quote.ts';
import { storeQueuedPayment } from '../../first-version.ts';

export interface LawfulHarness {
  readonly scope: Scope;
  readonly endUserId: string;
  readonly kycCheckId: string;
  readonly bankAccountId: string;
  /** One payment a fate. */
  readonly processing: string;
  readonly completed: string;
  readonly failed: string;
  readonly returned: string;
  /** Of another currency, by a quote: one paid, one that came back in part. */
  readonly quotedPaid: string;
  readonly quotedBack: string;
  /** A live key with an address that two operators approved, and the key that takes its place. */
  readonly liveKeys: readonly [string, string];
}

const scope: Scope = { customerId: 'cus_verify', environment: 'test' };
const at = new Date('2026-01-02T03:04:05.678Z');

/**
 * A harness in which every invariant holds, written by the code whose work `verify` judges: an approved
 * end-user, an account, 100.00 EUR, and four payments of 10.00 EUR with different fates.
 */
export async function makeLawfulHarness(db: Database): Promise<LawfulHarness> {
  await db.system(async (tx) => {
    await tx.query(`INSERT INTO customers (id, name, created_at) VALUES ($1, 'Sample Ltd', $2)`, [
      scope.customerId,
      at,
    ]);
    await setLiveAccess(tx, scope.customerId, true);
  });
  const people = await db.write(scope, writePeople);
  const funding = { currency: 'EUR', amount: 10_000n, rail: 'SEPA' };
  await db.write(scope, (tx) => fundBalance(tx, scope, funding, at));
  const dollars = { currency: 'USD', amount: 1_000_000n, rail: 'SWIFT' };
  await db.write(scope, (tx) => fundBalance(tx, scope, dollars, at));
  const pay = (...changes: readonly PaymentChange[]): Promise<string> =>
    db.write(scope, (tx) => writePayment(tx, people, changes));
  const payQuoted = async (...changes: readonly PaymentChange[]): Promise<string> => {
    const made = { createdAt: at, expiresAt: new Date(at.getTime() + 60_000) };
    const quote = await addQuote(db, scope, made);
    return db.write(scope, (tx) => writePayment(tx, people, changes, quote));
  };
  const sent: PaymentChange = { status: 'SENT', statusDetail: 'IN_RAIL' };
  const completed: PaymentChange = {
    status: 'COMPLETED',
    finalDueAt: new Date(at.getTime() + 86_400_000),
    statusDetail: 'DELIVERED',
    fundsStatus: 'DELIVERED',
    movements: [{ kind: 'SETTLE' }],
  };
  return {
    scope,
    ...people,
    liveKeys: await writeLiveKeys(db),
    processing: await pay(),
    completed: await pay(sent, completed, {
      reconciliationStatus: 'RECONCILED',
    }),
    failed: await pay({
      status: 'FAILED',
      statusDetail: 'REJECTED_BY_BANK',
      fundsStatus: 'BACK_IN_BALANCE',
      movements: [{ kind: 'RELEASE' }],
    }),
    returned: await pay(completed, {
      status: 'RETURNED',
      statusDetail: 'RETURNED_BY_BANK',
      fundsStatus: 'BACK_IN_BALANCE',
      movements: [{ kind: 'RETURN', amount: 900n }],
    }),
    quotedPaid: await payQuoted(completed),
    quotedBack: await payQuoted(completed, {
      status: 'RETURNED',
      statusDetail: 'RETURNED_BY_BANK',
      fundsStatus: 'BACK_IN_BALANCE',
      returnInfo: { reason: null, amount: '80000', fee: '9237', at: at.toISOString() },
      movements: [{ kind: 'RETURN', amount: 80_000n }],
    }),
  };
}

type People = Pick<LawfulHarness, 'endUserId' | 'kycCheckId' | 'bankAccountId'>;

async function writePeople(tx: ScopedTransaction): Promise<People> {
  const personal = randomBytes(40);
  const endUserId = newId('eu');
  const endUser = await insertEndUser(tx, scope, {
    id: endUserId,
    type: 'INDIVIDUAL',
    externalId: null,
    personal,
    ownerKey: personal,
    at,
  });
  if (endUser === null) throw new Error('there is such an end-user already');
  await recordEvent(tx, scope, endUserEvent('end_user.created', endUser), at);
  const kycCheckId = await approveWithin(tx, scope, endUserId, at);
  const account = await insertBankAccount(tx, scope, {
    id: newId('ba'),
    endUserId,
    country: 'DE',
    currency: 'EUR',
    rail: 'SEPA',
    holderType: 'INDIVIDUAL',
    fingerprint: 'sample',
    personal,
    bankName: null,
    at,
  });
  if (account === null) throw new Error('there is such an account already');
  await recordEvent(tx, scope, bankAccountEvent('bank_account.created', account), at);
  return { endUserId, kycCheckId, bankAccountId: account.id };
}

/** What the bank said before a payment may stand so. */
const PHASES: Partial<Record<PaymentStatus, AttemptPhase>> = {
  SENT: 'ACCEPTED',
  COMPLETED: 'SETTLED',
  FAILED: 'REJECTED',
  RETURNED: 'RETURNED',
};

async function writePayment(
  tx: ScopedTransaction,
  people: People,
  changes: readonly PaymentChange[],
  quote: QuoteRow | null = null,
): Promise<string> {
  const payment = await storeQueuedPayment(tx, scope, { ...people, at, quote });
  const reference = `CW${payment.id.slice('pay_'.length).toUpperCase()}01`;
  const attempt: AttemptRow = {
    ...attemptClaimed(readyAttempt(reference, at), at, { attemptDeadlineMs: 0 }),
    ...{ paymentId: payment.id, number: 1, rail: railOf(payment.destination) },
    encodedTransfer: randomBytes(8),
  };
  if (changes.length > 0) await insertAttempt(tx, scope, attempt);
  const corridors = createCorridorTable();
  const started = { tx, scope, corridors, now: at, payment, attempts: [attempt] };
  let locked: LockedPayment = { ...started, book: null };
  for (const change of changes) {
    const phase = change.status === undefined ? undefined : PHASES[change.status];
    const [known] = locked.attempts;
    if (phase !== undefined && known !== undefined) {
      locked = await saveAttempt(locked, { ...known, phase });
    }
    locked = await changePayment(locked, change, systemActor('settlement'));
  }
  return payment.id;
}

async function writeLiveKeys(db: Database): Promise<readonly [string, string]> {
  const live = { customerId: scope.customerId, environment: 'live' } as const;
  const vault = createTestVault();
  return db.system(async (tx) => {
    const approvedRanges = ['203.0.113.0/24'];
    const { id } = await addApiKey(tx, vault, { ...live, approvedRanges });
    await tx.query('SET LOCAL ROLE causeway_console');
    const deps = { vault, clock: { now: () => new Date() }, dashboardUrl: 'http://x.localhost' };
    const successor = await rotateApiKey(deps, tx, live, {
      ...{ keyId: id, overlapHours: 168, by: { kind: 'USER', id: newId('usr') } },
      random: { publicId: randomBytes(9), secret: randomBytes(32) },
    });
    return [id, successor.id];
  });
}
