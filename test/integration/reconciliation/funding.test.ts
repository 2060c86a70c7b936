import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setCustomerStatus } from '../../support/set-customer-status.ts';
import {
  createFundingHarness,
  type FundingHarness,
} from '../../support/reconciliation/funding-harness.ts';

let harness: FundingHarness;
beforeAll(async () => {
  harness = await createFundingHarness();
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

describe('a credit that bears a reference', () => {
  it('is available once, with one event that does not name the payer', async () => {
    const reference = await harness.reference();
    const before = await harness.standing();
    const ref = await harness.reconcile({
      entries: [harness.deposit({ remittance: `Ada Sample ${reference}` })],
    });
    expect(await harness.outcomes(ref)).toEqual(['CREDIT']);
    expect(await harness.standing()).toEqual({ ...before, available: before.available + 1_000n });
    const told = (await harness.events()).at(-1);
    expect(told).toMatchObject({ type: 'balance.credited', version: 1 });
    expect(told?.body).not.toContain('Sample');
    expect(JSON.parse(told?.body ?? '')).toMatchObject({
      resource: { type: 'funding_credit', version: 1 },
      data: {
        ...{ status: 'CREDITED', currency: 'EUR', amount: '10.00', reference },
        bookedAt: '2026-09-29T12:00:00.000Z',
        balanceTransactionId: expect.stringMatching(/^btx_/) as string,
      },
    });
    expect(harness.alarms).toEqual([]);
  });

  it('is found however the payer and the banks wrote it', async () => {
    const reference = await harness.reference();
    const spread = reference.replace(/(.{4})/g, '$1 ');
    const entries = [
      harness.deposit({ remittance: spread.toLowerCase() }),
      harness.deposit({
        remittance: [`Miete für März ${reference.slice(0, 7)}`, reference.slice(7)],
      }),
      harness.deposit({ remittance: `ÜBERWEISUNG/${spread.replaceAll(' ', '-')}/DANKE` }),
      harness.deposit({ creditorReference: reference }),
      harness.deposit({ reference }),
      harness.deposit({ remittance: `${reference} ${reference}` }),
    ];
    const before = await harness.standing();
    const ref = await harness.reconcile({ entries });
    expect(await harness.outcomes(ref)).toEqual(entries.map(() => 'CREDIT'));
    expect((await harness.standing()).available - before.available).toBe(6_000n);
  });

  it('is credited once by three readings of its statement, and by two workers at once', async () => {
    const remittance = await harness.reference();
    const before = await harness.standing();
    const ref = await harness.list({ entries: [harness.deposit({ remittance })] });
    for (let reading = 0; reading < 3; reading += 1) {
      await harness.rows(
        `UPDATE statements SET status = 'LISTED' WHERE id = $1 AND status = 'READ'`,
        [ref.statementId],
      );
      await harness.activities.readStatement(ref);
    }
    const both = [0, 1].map(() => harness.activities.reconcileStatement(ref));
    await Promise.allSettled(both);
    await harness.activities.reconcileStatement(ref);
    expect((await harness.standing()).available - before.available).toBe(1_000n);
  });

  it('is credited once by statements that overlap, and twice where it came twice', async () => {
    const remittance = await harness.reference();
    const before = await harness.standing();
    const [first, second] = [harness.deposit({ remittance }), harness.deposit({ remittance })];
    const pending = harness.deposit({ remittance, status: 'PDNG' });
    await harness.reconcile({ entries: [first, pending] });
    const whole = await harness.reconcile({
      entries: [{ ...first, bookedAt: '2026-09-29T00:00:00Z' }, second, first],
    });
    // The third line is a second one of the first booking's reference: that one is new, too.
    expect(await harness.outcomes(whole)).toEqual(['CREDIT', 'CREDIT', 'CREDIT']);
    await harness.reconcile({ entries: [second, first, first] });
    expect((await harness.standing()).available - before.available).toBe(3_000n);
  });

  it('without any reference of the bank is told by its line: two lines are two deposits', async () => {
    const remittance = await harness.reference();
    const before = await harness.standing();
    const entry = harness.deposit({ remittance, bankReference: null, amount: '10.01' });
    await harness.reconcile({ entries: [entry, entry] });
    expect((await harness.standing()).available - before.available).toBe(2_002n);
  });

  it('under a reference of the bank that it gave another deposit days before is looked at', async () => {
    const remittance = await harness.reference();
    const entry = harness.deposit({ remittance });
    await harness.reconcile({ entries: [entry] });
    const before = await harness.standing();
    const ref = await harness.reconcile({
      entries: [{ ...entry, bookedAt: '2026-10-05T12:00:00Z' }],
    });
    expect(await harness.outcomes(ref)).toEqual(['POSSIBLE_DUPLICATE']);
    expect(await harness.standing()).toEqual(before);
  });

  it.each([
    ['NONREF', '10.02'],
    ['NOTPROVIDED', '10.03'],
    ['Not provided', '10.04'],
  ])(
    "of a bank that calls every booking %s is its owner's, on statements of two days",
    async (bankReference, amount) => {
      const other = await harness.addCustomer();
      const deposit = { bankReference, amount, remittance: await harness.reference() };
      const entry = harness.deposit(deposit);
      const [before, beforeTheirs] = [
        await harness.standing(),
        await harness.standing(other.scope),
      ];
      await harness.reconcile({ entries: [entry] });
      const remittance = await harness.reference(other.scope);
      const ref = await harness.reconcile(
        { entries: [{ ...entry, remittance }] },
        '2026-09-30T23:59:00.000Z',
        '2026-09-30T00:00:00.000Z',
      );
      expect(await harness.outcomes(ref)).toEqual(['CREDIT']);
      const credited = BigInt(amount.replace('.', ''));
      expect((await harness.standing()).available - before.available).toBe(credited);
      const now = await harness.standing(other.scope);
      expect(now.available - beforeTheirs.available).toBe(credited);
    },
  );

  it("under another deposit's reference of the bank, of another owner or none, is looked at", async () => {
    const other = await harness.addCustomer();
    const entry = harness.deposit({ remittance: await harness.reference() });
    const unmatched = harness.deposit({ remittance: 'Rent' });
    await harness.reconcile({ entries: [entry, unmatched] });
    const remittance = await harness.reference(other.scope);
    const before = [await harness.standing(), await harness.standing(other.scope)];
    const ref = await harness.reconcile({
      entries: [
        { ...entry, remittance },
        { ...unmatched, remittance },
      ],
    });
    const another = await harness.reconcile({ entries: [{ ...entry, remittance: 'Rent' }] });
    expect(await harness.outcomes(ref)).toEqual(['POSSIBLE_DUPLICATE', 'POSSIBLE_DUPLICATE']);
    expect(await harness.outcomes(another)).toEqual(['POSSIBLE_DUPLICATE']);
    expect([await harness.standing(), await harness.standing(other.scope)]).toEqual(before);
  });

  it('in a batch is credited by transaction, each to its own owner', async () => {
    const other = await harness.addCustomer();
    const mine = await harness.reference();
    const theirs = await harness.reference(other.scope);
    const [before, beforeTheirs] = [await harness.standing(), await harness.standing(other.scope)];
    await harness.reconcile({
      entries: [
        harness.deposit({
          amount: '10.00',
          batch: [
            { amount: '1.00', remittance: mine },
            { amount: '2.00', remittance: theirs },
            { amount: '2.00', remittance: theirs },
            { amount: '5.00', remittance: 'Rent' },
          ],
        }),
      ],
    });
    expect((await harness.standing()).available - before.available).toBe(100n);
    const now = await harness.standing(other.scope);
    expect(now.available - beforeTheirs.available).toBe(400n);
  });

  it("of a suspended customer is that customer's all the same", async () => {
    const other = await harness.addCustomer();
    const remittance = await harness.reference(other.scope);
    await setCustomerStatus(harness.url, other.scope.customerId, 'SUSPENDED');
    const before = await harness.standing(other.scope);
    await harness.reconcile({ entries: [harness.deposit({ remittance, amount: '0.01' })] });
    expect((await harness.standing(other.scope)).available - before.available).toBe(1n);
  });

  it('and a payout of ours, which may be a return, credits no customer until operators looked', async () => {
    const paid = await harness.pay('COMPLETED');
    await harness.reconcile({ entries: [{ reference: paid.reference, amount: '10.00' }] });
    const remittance = await harness.reference();
    const before = await harness.standing();
    const { version } = await harness.payment(paid.id);
    const ref = await harness.reconcile({
      entries: [harness.deposit({ reference: paid.reference, remittance })],
    });
    expect(await harness.outcomes(ref)).toEqual(['UNKNOWN_RETURN']);
    expect((await harness.unmatched()).at(-1)?.unmatchedReason).toBe('PAYOUT_REFERENCE');
    expect(await harness.standing()).toEqual(before);
    expect((await harness.payment(paid.id)).version).toBe(version);
  });
});

describe("a credit that is no customer's", () => {
  it('credits no customer, is listed with why, and stands in suspense', async () => {
    const other = await harness.addCustomer();
    const live = await harness.addCustomer('live');
    const mine = await harness.reference();
    const paid = await harness.pay('COMPLETED');
    const wrong = `${mine.slice(0, 10)}${mine[10] === '7' ? '8' : '7'}${mine.slice(11)}`;
    const drafts = [
      ['NO_REFERENCE', { remittance: 'Rent' }],
      ['NO_REFERENCE', { remittance: wrong }],
      ['UNKNOWN_REFERENCE', { remittance: await harness.reference(live.scope) }],
      ['SEVERAL_REFERENCES', { remittance: `${mine} ${await harness.reference(other.scope)}` }],
      ['WRONG_CURRENCY', { remittance: await harness.reference(other.scope, 'USD') }],
      ['PAYOUT_REFERENCE', { reference: paid.reference, amount: '0.01' }],
      ['AMOUNT_UNUSABLE', { remittance: mine, amount: '1.005' }],
      ['AMOUNT_UNUSABLE', { remittance: mine, amount: '1000000000000' }],
    ] as const;
    const entries = drafts.map(([, over]) => harness.deposit(over));
    const fingerprint = async () => [
      await harness.standing(),
      await harness.standing(other.scope),
      (await harness.events()).length,
    ];
    const before = await fingerprint();
    const [listed, suspense] = [(await harness.unmatched()).length, await harness.suspense()];
    const ref = await harness.reconcile({ entries });
    expect(await harness.outcomes(ref)).toEqual(drafts.map(() => 'UNKNOWN_RETURN'));
    expect(await fingerprint()).toEqual(before);
    const found = (await harness.unmatched()).slice(listed);
    expect(found.map(({ unmatchedReason }) => unmatchedReason)).toEqual(drafts.map(([why]) => why));
    expect(await harness.suspense()).toBe(suspense + 5_001n);
    // A second statement that shows them lists and posts none of them again.
    await harness.reconcile({ entries });
    expect((await harness.unmatched()).length).toBe(listed + drafts.length);
    expect(await harness.suspense()).toBe(suspense + 5_001n);
    expect(harness.alarms.filter(({ exception }) => exception === 'UNKNOWN_RETURN')).not.toEqual(
      [],
    );
  });

  it('where more references than any payer would write stand in it', async () => {
    const other = await harness.addCustomer();
    const references = await Promise.all(
      ['USD', 'GBP', 'CHF', 'JPY', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'EUR'].map((currency) =>
        harness.reference(other.scope, currency),
      ),
    );
    const ref = await harness.reconcile({
      entries: [harness.deposit({ remittance: references.join(' ') })],
    });
    expect(await harness.outcomes(ref)).toEqual(['UNKNOWN_RETURN']);
    expect((await harness.unmatched()).at(-1)?.unmatchedReason).toBe('SEVERAL_REFERENCES');
  });

  it('moved nothing where its amount is zero', async () => {
    const remittance = await harness.reference();
    const ref = await harness.reconcile({
      entries: [harness.deposit({ remittance, amount: '0.00' })],
    });
    expect(await harness.outcomes(ref)).toEqual(['IGNORED']);
  });
});
