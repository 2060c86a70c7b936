import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addRecipient, type Recipient } from '../../support/add-recipient.ts';
import { fundBalance } from '../../../src/modules/ledger/fund-balance.ts';
import { beginRestoreMode, endRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import {
  insertReleaseStop,
  resumeReleaseStops,
} from '../../../src/db/operations/release-stop-store.ts';
import { revokeApproval } from '../../support/approve-end-user.ts';
import {
  acceptMany,
  startTogetherHarness,
  type Ref,
  type TogetherHarness,
} from '../../support/payments/together-harness.ts';

/** Ahead of them goes one alone. */
const TOGETHER = 6;
const HELD = 3;

let harness: TogetherHarness;
beforeAll(async () => {
  harness = await startTogetherHarness();
  const now = harness.clock.now();
  const funding = { currency: 'USD', amount: 100_000n, rail: 'ACH' };
  await harness.database.db.write(harness.scope, (tx) =>
    fundBalance(tx, harness.scope, funding, now),
  );
});
beforeEach(() => {
  harness.resetBank();
});
afterEach(() => harness.endProcesses());
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const act = () => ({
  actor: { kind: 'OPERATOR', name: 'ada' } as const,
  at: harness.clock.now(),
  reason: 'sample',
});

/** What became of a payment, and what the bank was told of it. */
async function fate(ref: Ref, step: PromiseSettledResult<unknown> | undefined) {
  const { payment, attempts, story } = await harness.tell(ref.paymentId);
  const { status, statusDetail, fundsStatus, reconciliationStatus } = payment;
  const calls = harness.bank.calls.filter(({ reference }) => reference === attempts[0]?.reference);
  // Each payment stands under a reference of its own.
  const shown =
    step?.status === 'fulfilled'
      ? { ...step, value: { ...(step.value as object), standing: null } }
      : step;
  return {
    ...{ step: shown, status, statusDetail, fundsStatus, reconciliationStatus, story },
    attempts: attempts.map(({ phase, sends, isRestored }) => ({ phase, sends, isRestored })),
    methods: calls.map(({ method }) => method),
  };
}

const accept = async (overrides: object = {}): Promise<Ref> => ({
  ...harness.scope,
  paymentId: await harness.accept(overrides),
});

/** One payment alone, and one like it among others: answers what became of both. */
async function aloneAndAmong(make: () => Promise<Ref>) {
  const alone = await make();
  const [step] = await harness.start().settleAll([alone]);
  const among = await make();
  const others = await acceptMany(harness, TOGETHER);
  const steps = await harness.start().settleAll(others.toSpliced(HELD, 0, among));
  for (const other of steps.toSpliced(HELD, 1)) {
    expect(other).toEqual({ status: 'fulfilled', value: { kind: 'DONE', status: 'COMPLETED' } });
  }
  await harness.expectPaidOnce(others);
  return { alone: await fate(alone, step), among: await fate(among, steps[HELD]) };
}

const payTo = ({ endUserId, bankAccountId }: Recipient, more: object = {}) =>
  accept({ endUserId, bankAccountId, ...more });

describe('one of many claims', () => {
  it.each<[string, string, () => Promise<Ref>]>([
    [
      'of an end-user whose KYC was revoked',
      'KYC_WITHDRAWN',
      async () => {
        const recipient = await addRecipient(harness);
        const ref = await payTo(recipient);
        const { db } = harness.database;
        await revokeApproval(db, harness.scope, recipient, harness.clock.now());
        return ref;
      },
    ],
    [
      'of an end-user whose approval is over, and the schedule late',
      'KYC_WITHDRAWN',
      async () => {
        const approvedUntil = new Date(harness.clock.now().getTime() + 1_000);
        const ref = await payTo(await addRecipient(harness, { approvedUntil }));
        harness.clock.advance(1_000);
        return ref;
      },
    ],
    [
      'to an account that was disabled',
      'BANK_ACCOUNT_DISABLED',
      async () => {
        const recipient = await addRecipient(harness);
        const ref = await payTo(recipient);
        const disable = "UPDATE bank_accounts SET status = 'DISABLED' WHERE id = $1";
        await harness.rows(disable, [recipient.bankAccountId]);
        return ref;
      },
    ],
    [
      'of an end-user who was closed',
      'END_USER_NOT_ACTIVE',
      async () => {
        const recipient = await addRecipient(harness);
        const ref = await payTo(recipient);
        const close = "UPDATE end_users SET status = 'CLOSED' WHERE id = $1";
        await harness.rows(close, [recipient.endUserId]);
        return ref;
      },
    ],
    [
      'over a corridor that has been closed',
      'CORRIDOR_UNAVAILABLE',
      async () => {
        const recipient = await addRecipient(harness);
        const ref = await payTo(recipient);
        const move = "UPDATE bank_accounts SET country = 'AQ' WHERE id = $1";
        await harness.rows(move, [recipient.bankAccountId]);
        return ref;
      },
    ],
  ])('%s is held, the others are paid', async (_what, statusDetail, make) => {
    const { alone, among } = await aloneAndAmong(make);
    expect(among).toEqual(alone);
    expect(among).toMatchObject({ status: 'ON_HOLD', statusDetail, methods: [] });
  });

  it('whose bytes no key opens is not claimed, the others are paid', async () => {
    const { alone, among } = await aloneAndAmong(async () => {
      const ref = await accept();
      const spoil = 'UPDATE settlement_attempts SET request = $2 WHERE payment_id = $1';
      await harness.rows(spoil, [ref.paymentId, Buffer.from('no bytes of ours')]);
      return ref;
    });
    expect(among).toEqual(alone);
    expect(among.step).toMatchObject({ status: 'rejected' });
    expect(among).toMatchObject({ attempts: [{ phase: 'READY', sends: 0 }], methods: [] });
  });

  it('over a rail that is stopped is held, the others are paid', async () => {
    const american = await addRecipient(harness, {
      ...{ country: 'US', currency: 'USD' },
      details: { routingNumber: '021000021', accountNumber: '123456789', accountType: 'CHECKING' },
    });
    const filter = { environment: null, rail: 'ACH', customerId: null };
    const { db } = harness.database;
    await db.system((tx) => insertReleaseStop(tx, filter, act()));
    const { alone, among } = await aloneAndAmong(() => payTo(american, { currency: 'USD' }));
    await db.system((tx) => resumeReleaseStops(tx, filter, act()));
    expect(among).toEqual(alone);
    expect(among).toMatchObject({ statusDetail: 'RELEASE_STOPPED', methods: [] });
  });

  it('with an unread report about it is asked about first, the others are paid', async () => {
    const { alone, among } = await aloneAndAmong(async () => {
      const ref = await accept();
      const { attempts } = await harness.tell(ref.paymentId);
      await harness.callback({ reference: attempts[0]?.reference, status: 'SETTLED' });
      return ref;
    });
    expect(among).toEqual(alone);
    expect(among).toMatchObject({ statusDetail: 'OUTCOME_UNKNOWN', methods: ['GET'] });
  });

  it('accepted before restore mode ended is asked about first, the others are paid', async () => {
    const { db } = harness.database;
    const before = [await accept(), await accept()];
    harness.clock.advance(1_000);
    await db.system((tx) => beginRestoreMode(tx, act()));
    harness.clock.advance(1_000);
    await db.system((tx) => endRestoreMode(tx, act()));
    harness.clock.advance(1_000);
    const { alone, among } = await aloneAndAmong(async () => {
      const ref = before.pop();
      if (ref === undefined) throw new Error('no payment is left');
      return ref;
    });
    expect(among).toEqual(alone);
    const [attempt] = among.attempts;
    expect(attempt).toMatchObject({ phase: 'UNKNOWN', isRestored: true });
    expect(among.methods).not.toContain('PUT');
  });
});

describe('many claims', () => {
  it('while restore mode is on are all asked about first', async () => {
    const { db } = harness.database;
    const refs = await acceptMany(harness, TOGETHER);
    await db.system((tx) => beginRestoreMode(tx, act()));
    await harness.start().settleAll(refs);
    await db.system((tx) => endRestoreMode(tx, act()));
    expect(harness.bank.puts()).toEqual([]);
    for (const ref of refs) {
      expect((await harness.tell(ref.paymentId)).attempts).toMatchObject([{ isRestored: true }]);
    }
  });

  it('of one payment send it once', async () => {
    const [first, ref] = await acceptMany(harness, 2);
    if (first === undefined || ref === undefined) throw new Error('nothing was accepted');
    await harness.start().settleAll([first, ...Array<Ref>(TOGETHER).fill(ref)]);
    expect(harness.bank.puts()).toHaveLength(2);
    await harness.expectPaidOnce([first, ref]);
  });

  it('of the same payments in two processes, in opposite orders, send each once', async () => {
    const refs = await acceptMany(harness, TOGETHER);
    const [one, other] = [harness.start(), harness.start()];
    await Promise.all([one.settleAll(refs), other.settleAll(refs.toReversed())]);
    await harness.expectPaidOnce(refs);
    expect(harness.bank.puts()).toHaveLength(TOGETHER);
  });

  it('wait for a stop that is being made, and see it', async () => {
    const { db } = harness.database;
    const filter = { environment: null, rail: null, customerId: null };
    const refs = await acceptMany(harness, TOGETHER);
    let settling: Promise<unknown> = Promise.resolve();
    await db.system(async (tx) => {
      await insertReleaseStop(tx, filter, act());
      settling = harness.start().settleAll(refs);
      const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      await expect.poll(() => harness.rows(waiting)).not.toEqual([]);
      expect(harness.bank.calls).toEqual([]);
    });
    await settling;
    expect(harness.bank.calls).toEqual([]);
    for (const ref of refs) {
      const { payment } = await harness.tell(ref.paymentId);
      expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'RELEASE_STOPPED' });
    }
    await db.system((tx) => resumeReleaseStops(tx, filter, act()));
    await harness.expectPaidOnce(refs);
  });
});
