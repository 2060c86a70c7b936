import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addRecipient, type Recipient } from '../../support/add-recipient.ts';
import { revokeApproval } from '../../support/approve-end-user.ts';
import {
  keyed,
  keys,
  startTogetherHarness,
  type Keyed,
  type TogetherHarness,
} from '../../support/payments/together-harness.ts';

/** Ahead of them goes one alone. */
const TOGETHER = 20;
/** The place of the one that is refused. */
const REFUSED = 8;

let harness: TogetherHarness;
let other: Recipient;
beforeAll(async () => {
  harness = await startTogetherHarness();
  other = await addRecipient(harness);
});
let names: readonly string[];
let round = 0;
beforeEach(() => {
  harness.resetBank();
  round += 1;
  names = keys(`round ${String(round)}`, TOGETHER + 1);
});
afterEach(() => harness.endProcesses());
afterAll(async () => {
  await harness.expectAllWritten();
  await harness.close();
});

const setStatus = (table: string, id: string, status: string) =>
  harness.rows(`UPDATE ${table} SET status = $2 WHERE id = $1`, [id, status]);

describe('one of twenty that is refused', () => {
  it.each<[string, string, (key: string) => Promise<Keyed> | Keyed]>([
    [
      'an unknown end-user',
      'resource_not_found',
      (key) => keyed(harness.payer, key, { endUserId: 'eu_01k6b7q0e8f1htx9n3r5p7v2ab' }),
    ],
    [
      'more than the balance',
      'insufficient_balance',
      (key) => keyed(harness.payer, key, { amount: 99_999_999_900n }),
    ],
    [
      'more than the rail takes',
      'amount_above_maximum',
      (key) => keyed(harness.payer, key, { amount: 999_999_999_999n }),
    ],
    [
      'a disabled account',
      'bank_account_disabled',
      async (key) => {
        const { endUserId, bankAccountId } = await addRecipient(harness);
        await setStatus('bank_accounts', bankAccountId, 'DISABLED');
        return keyed(harness.payer, key, {
          endUserId,
          destination: { kind: 'BANK', bankAccountId },
        });
      },
    ],
    [
      'an end-user whose approval is over, and the schedule late',
      'kyc_not_approved',
      async (key) => {
        const approvedUntil = new Date(harness.clock.now().getTime() + 1_000);
        const { endUserId, bankAccountId } = await addRecipient(harness, { approvedUntil });
        harness.clock.advance(1_000);
        return keyed(harness.payer, key, {
          endUserId,
          destination: { kind: 'BANK', bankAccountId },
        });
      },
    ],
    [
      'an end-user whose KYC was revoked',
      'kyc_not_approved',
      async (key) => {
        const { endUserId, bankAccountId, kycCheckId } = await addRecipient(harness);
        const now = harness.clock.now();
        await revokeApproval(harness.database.db, harness.scope, { endUserId, kycCheckId }, now);
        return keyed(harness.payer, key, {
          endUserId,
          destination: { kind: 'BANK', bankAccountId },
        });
      },
    ],
    [
      'a key that another request is bound to',
      'idempotency_key_mismatch',
      async (key) => {
        const [bound] = await harness.start().acceptAll([keyed(harness.payer, key)]);
        expect(bound?.status).toBe('fulfilled');
        return keyed(harness.payer, key, { amount: 1_001n });
      },
    ],
  ])('for %s: it is judged as alone, the others are accepted', async (_what, code, make) => {
    const refused = await make(`refused ${String(round)}`);
    const [alone] = await harness.start().acceptAll([refused]);
    expect(alone).toMatchObject({ status: 'rejected', reason: { code } });
    const requests = names.map((name) => keyed(harness.payer, name));
    const outcomes = await harness.start().acceptAll(requests.with(REFUSED, refused));
    expect(outcomes[REFUSED]).toEqual(alone);
    const accepted = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(accepted).toHaveLength(TOGETHER);
    const written = 'SELECT FROM payments WHERE idempotency_key = ANY ($1)';
    expect(await harness.rows(written, [names])).toHaveLength(TOGETHER);
  });

  it('for a key that stands twice among them: one payment, and the second finds it running', async () => {
    const requests = names.map((name) => keyed(harness.payer, name));
    const key = names[REFUSED] ?? '';
    const again = [keyed(harness.payer, key), keyed(harness.payer, key, { amount: 7_700n })];
    const outcomes = await harness.start().acceptAll([...requests, ...again]);
    const running = { status: 'rejected', reason: { code: 'idempotency_key_in_progress' } };
    expect(outcomes.slice(-2)).toMatchObject([running, running]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(names.length);
    const written = 'SELECT amount FROM payments WHERE idempotency_key = $1';
    expect(await harness.rows(written, [key])).toEqual([{ amount: '1000' }]);
  });

  it('for a key that is bound to the same request: it gets the stored answer among new ones', async () => {
    const bound = keyed(harness.payer, names[REFUSED] ?? '');
    const [first] = await harness.start().acceptAll([bound]);
    if (first?.status !== 'fulfilled') throw new Error('it was not accepted');
    const requests = names.map((name) => keyed(harness.payer, name));
    const outcomes = await harness.start().acceptAll(requests);
    expect(outcomes[REFUSED]).toEqual({
      status: 'fulfilled',
      value: { status: 201, text: first.value.text, isReplay: true },
    });
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(names.length);
  });
});

it('twenty orders together: each one sends its own amount to its own account, under its own key', async () => {
  const details = { iban: 'NL91ABNA0417164300' };
  const dutch = await addRecipient(harness, {
    country: 'NL',
    details,
    holderName: 'Edsger Sample',
  });
  const orders = names.map((name, n) => {
    const { endUserId, bankAccountId } = n % 2 === 0 ? dutch : other;
    const destination = { kind: 'BANK', bankAccountId } as const;
    const overrides = { endUserId, destination, amount: BigInt(1_000 + n) };
    return keyed(harness.payer, name, { ...overrides, metadata: { name }, externalId: name });
  });
  const outcomes = await harness.start().acceptAll(orders);
  for (const [n, outcome] of outcomes.entries()) {
    if (outcome.status !== 'fulfilled') throw new Error('it was refused');
    const told = JSON.parse(outcome.value.text) as { id: string; amount: string };
    const amount = `${String(10 + Math.floor(n / 100))}.${String(n).padStart(2, '0')}`;
    expect(told).toMatchObject({
      ...{ amount, externalId: names[n], metadata: { name: names[n] } },
      ...{ bankAccountId: n % 2 === 0 ? dutch.bankAccountId : other.bankAccountId },
    });
    const { attempts } = await harness.drive(told.id);
    const [put] = harness.bank.puts().filter(({ reference }) => {
      return reference === attempts[0]?.reference;
    });
    expect(JSON.parse(put?.body ?? '{}')).toMatchObject({
      amount,
      creditor: { name: n % 2 === 0 ? 'Edsger Sample' : 'Grace Sample' },
    });
  }
});
