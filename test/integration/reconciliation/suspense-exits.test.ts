import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { markApprovalUsed } from '../../../src/db/approvals/approval-store.ts';
import type { ScopedTransaction } from '../../../src/db/client/database.ts';
import { takeUnmatchedCredit } from '../../../src/db/ledger/funding-credit-store.ts';
import { insertLedgerTransactions } from '../../../src/db/ledger/ledger-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { PLATFORM_ACCOUNT } from '../../../src/domain/platform-account.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { assignmentLines, closingLines } from '../../../src/domain/ledger/credit-movements.ts';
import { writeCredits } from '../../../src/modules/ledger/funding/write-credits.ts';
import {
  createDecidingHarness,
  type DecidingHarness,
} from '../../support/reconciliation/deciding-harness.ts';

let harness: DecidingHarness;
beforeAll(async () => {
  harness = await createDecidingHarness();
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const platform = { customerId: PLATFORM_ACCOUNT, environment: 'test' } as const;
const money = (minor: bigint) => ({ currency: 'EUR', minor });

interface Approved {
  readonly creditId: string;
  readonly approvalId: string;
}

/** Approved by a process that ended before it acted. */
async function approveOnly(creditId: string, approvalId: string): Promise<Approved> {
  await harness.operators.approveOnly(approvalId);
  return { creditId, approvalId };
}

async function unmatched(amount: string): Promise<string> {
  const entry = harness.deposit({ remittance: 'Rent', amount });
  const [id = ''] = await harness.arriveUnmatched(entry);
  return id;
}

async function approvedAssignment(amount: string): Promise<Approved> {
  const id = await unmatched(amount);
  return approveOnly(id, await harness.proposeAssignment(id));
}

/** With the line of a statement that shows it leave. */
async function approvedClosing(amount: string) {
  const id = await unmatched(amount);
  const shown = await harness.showDebit(amount);
  return { ...(await approveOnly(id, await harness.proposeClosing(id, shown))), shown };
}

const use = async (tx: ScopedTransaction, scope: Scope, { approvalId }: Approved) =>
  expect(await markApprovalUsed(tx, scope, approvalId, harness.clock.now())).toBe(true);

/** Writes what an assignment writes, for whichever credits and amounts. */
async function assign(
  tx: ScopedTransaction,
  { creditId }: Approved,
  booked: bigint,
  { isTaken = true, times = 1 } = {},
): Promise<void> {
  const { scope } = harness.customer;
  const at = harness.clock.now();
  const ledgerTransactionId = newId('ltx');
  const lines = assignmentLines(money(booked));
  if (isTaken) {
    const taken = await takeUnmatchedCredit(tx, creditId, { outcome: 'ASSIGNED' }, at);
    const amount = taken?.minor ?? 0n;
    const credit = { id: creditId, currency: 'EUR', amount, reference: null, bookedAt: null };
    const written = { ...credit, creditedAt: at, ledgerTransactionId };
    await writeCredits(tx, scope, [{ credit: written, kind: 'ASSIGN', lines }], at);
  }
  const more = Array.from({ length: isTaken ? times - 1 : times }, () => {
    return { id: newId('ltx'), kind: 'ASSIGN' as const, paymentId: null, lines };
  });
  if (more.length > 0) await insertLedgerTransactions(tx, scope, more, at);
}

const NOT_OF_IT = 'it is not what became of a credit';

describe('an approved assignment', () => {
  const write = (work: (tx: ScopedTransaction) => Promise<void>) =>
    harness.people.write(harness.customer.scope, work);

  it('moves its own credit, once: the same work with nothing amiss is let through', async () => {
    const one = await approvedAssignment('30.01');
    const { available } = await harness.standing();
    await write(async (tx) => {
      await use(tx, harness.customer.scope, one);
      await assign(tx, one, 3_001n);
    });
    expect((await harness.standing()).available - available).toBe(3_001n);
  });

  it.each([
    ['while its credit stays where it is', { isTaken: false }, 3_002n],
    ['of another amount', {}, 3_002_000n],
    ['and another one beside it', { times: 2 }, 3_002n],
  ] as const)('moves nothing %s', async (_what, how, booked) => {
    const one = await approvedAssignment('30.02');
    const before = [await harness.standing(), await harness.suspense()];
    await expect(
      write(async (tx) => {
        await use(tx, harness.customer.scope, one);
        await assign(tx, one, booked, how);
      }),
    ).rejects.toThrow(NOT_OF_IT);
    expect([await harness.standing(), await harness.suspense()]).toEqual(before);
  });

  it("moves no other credit's money: that one's approval is not in use", async () => {
    const [one, other] = [await approvedAssignment('30.03'), await approvedAssignment('9000.00')];
    const before = await harness.standing();
    await expect(
      write(async (tx) => {
        await use(tx, harness.customer.scope, one);
        await assign(tx, other, 900_000n, { isTaken: false });
      }),
    ).rejects.toThrow(NOT_OF_IT);
    expect(await harness.standing()).toEqual(before);
  });
});

describe('an approved closing', () => {
  const close = (tx: ScopedTransaction, booked: bigint) => {
    const lines = closingLines('http-bank', money(booked));
    const transaction = { id: newId('ltx'), kind: 'CLOSE' as const, paymentId: null, lines };
    return insertLedgerTransactions(tx, platform, [transaction], harness.clock.now());
  };

  it('takes its own credit out of suspense, and no other one or another amount', async () => {
    const one = await approvedClosing('31.01');
    const suspense = await harness.suspense();
    const attempt = (isTaken: boolean, booked: bigint) =>
      harness.people.write(platform, async (tx) => {
        await use(tx, platform, one);
        const closing = { outcome: 'CLOSED', ...one.shown } as const;
        if (isTaken) await takeUnmatchedCredit(tx, one.creditId, closing, harness.clock.now());
        await close(tx, booked);
      });
    await expect(attempt(false, 3_101n)).rejects.toThrow(NOT_OF_IT);
    await expect(attempt(true, 3_100n)).rejects.toThrow(NOT_OF_IT);
    expect(await harness.suspense()).toBe(suspense);
    await attempt(true, 3_101n);
    expect(await harness.suspense()).toBe(suspense - 3_101n);
  });

  it('is for the line that was approved: another line of the same amount is none', async () => {
    const one = await approvedClosing('31.02');
    const other = await harness.showDebit('31.02');
    const suspense = await harness.suspense();
    await expect(
      harness.people.write(platform, async (tx) => {
        await use(tx, platform, one);
        const closing = { outcome: 'CLOSED', ...other } as const;
        const at = harness.clock.now();
        expect(await takeUnmatchedCredit(tx, one.creditId, closing, at)).not.toBeNull();
        await close(tx, 3_102n);
      }),
    ).rejects.toThrow(NOT_OF_IT);
    expect(await harness.suspense()).toBe(suspense);
  });

  it('is the end: a reversal that is written for it all the same moves nothing', async () => {
    const one = await approvedClosing('31.03');
    expect((await harness.approve(one.approvalId)).code).toBe(0);
    const suspense = await harness.suspense();
    const id = newId('ltx');
    await expect(
      harness.db.write(platform, async (tx) => {
        await harness.rows(
          `INSERT INTO credit_reversals (credit_id, environment, connector, booking_key, occurrence,
             statement_id, line, received_at, ledger_transaction_id)
           SELECT id, environment, connector, booking_key, 99, statement_id, line, received_at, $2
           FROM incoming_credits WHERE id = $1`,
          [one.creditId, id],
        );
        const lines = closingLines('http-bank', money(3_103n));
        const transaction = { id, kind: 'CLOSE' as const, paymentId: null, lines };
        await insertLedgerTransactions(tx, platform, [transaction], harness.clock.now());
      }),
    ).rejects.toThrow(NOT_OF_IT);
    expect(await harness.suspense()).toBe(suspense);
  });
});
