import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import type { StatementRef } from '../../../src/domain/workflows/work-refs.ts';
import {
  applied,
  createReturnsDesk,
  creditReturn,
  minorOf,
  type ReturnsDesk,
} from '../../support/reconciliation/returns-desk.ts';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';
import type { PayingCustomer } from '../../support/seed-payments.ts';

let desk: ReturnsDesk;
let other: PayingCustomer;
beforeAll(async () => {
  desk = await createReturnsDesk(84_000);
  other = await desk.addCustomer();
});
afterAll(() => desk.close());

const theirs = async () => (await desk.standing(other.scope)).available;

/** Bookings of one amount that bear one reference of the bank: a deposit of another customer, and returns of payments. */
async function oneKey() {
  const amount = desk.newAmount();
  const bankReference = newId('back');
  const money = { amount, direction: 'CRDT', bankReference } as const;
  return {
    amount,
    minor: minorOf(amount),
    deposit: { ...money, remittance: await desk.reference(other.scope) } satisfies EntryDraft,
    returnOf: (reference: string): EntryDraft => ({ ...money, returnReason: 'AC04', reference }),
  };
}

describe('two lines of one report with one reference, amount and day', () => {
  it('are a credit that somebody has, and a second return: that one is credited', async () => {
    const { amount, minor, deposit, returnOf } = await oneKey();
    const payments = [await desk.paid(amount), await desk.paid(amount)] as const;
    await desk.shows(deposit, 'INTRADAY');
    const ref = await desk.shows(payments.map(({ reference }) => returnOf(reference)));
    const outcomes = await desk.outcomes(ref);
    expect(outcomes.toSorted()).toEqual(['DUPLICATE_AT_BANK', 'RETURN']);
    expect(await desk.moved()).toEqual({ available: minor, nostro: -2n * minor, suspense: 0n });
    await desk.activities.reconcileStatement(ref);
    expect(await desk.outcomes(ref)).toEqual(outcomes);
  });

  it('are two credits that somebody has: neither return is credited', async () => {
    const { amount, minor, deposit, returnOf } = await oneKey();
    const payments = [await desk.paid(amount), await desk.paid(amount)] as const;
    await desk.shows([deposit, deposit], 'INTRADAY');
    const ref = await desk.shows(payments.map(({ reference }) => returnOf(reference)));
    expect(await desk.outcomes(ref)).toEqual(['DUPLICATE_AT_BANK', 'DUPLICATE_AT_BANK']);
    expect(await desk.moved()).toEqual({ available: 0n, nostro: -2n * minor, suspense: 0n });
  });

  it.each(['the deposit', 'the return'])(
    'are a credit shown again and a return: both customers have theirs, %s is first',
    async (first) => {
      const { amount, minor, deposit, returnOf } = await oneKey();
      const payment = await desk.paid(amount);
      await desk.shows(deposit, 'INTRADAY');
      const before = await theirs();
      const back = returnOf(payment.reference);
      const ref = await desk.shows(first === 'the deposit' ? [deposit, back] : [back, deposit]);
      expect((await desk.outcomes(ref)).toSorted()).toEqual(['CREDIT', 'RETURN']);
      expect(await desk.moved()).toMatchObject({ available: minor, nostro: -2n * minor });
      expect(await theirs()).toBe(before);
    },
  );

  it('are a return that is in the books, and a deposit: that one is credited', async () => {
    const { amount, minor, deposit, returnOf } = await oneKey();
    const payment = await desk.paid(amount);
    const before = await theirs();
    await desk.shows(returnOf(payment.reference), 'INTRADAY');
    const ref = await desk.shows([deposit, deposit]);
    expect(await desk.outcomes(ref)).toEqual(['DUPLICATE_AT_BANK', 'CREDIT']);
    expect(await theirs()).toBe(before + minor);
    expect(await desk.moved()).toMatchObject({ available: minor, nostro: -2n * minor });
  });

  it('are two returns of one payment: the second one waits for operators', async () => {
    const { amount, minor, returnOf } = await oneKey();
    const back = returnOf((await desk.paid(amount)).reference);
    const ref = await desk.shows([back, back]);
    expect(await desk.outcomes(ref)).toEqual(['RETURN', 'DUPLICATE_AT_BANK']);
    expect(await desk.moved()).toMatchObject({ available: minor, nostro: -minor });
  });
});

describe('transactions of one entry, which have its reference and no other', () => {
  /** An entry with these transactions of one amount, and one of another amount. */
  function entryOf(amount: string, references: readonly string[], over: Partial<EntryDraft> = {}) {
    const last = { reference: 'ANOTHER', amount: '1.00' };
    const batch = [...references.map((reference) => ({ reference, amount })), last];
    const sum = BigInt(references.length) * minorOf(amount) + 100n;
    const total = `${String(sum / 100n)}.${String(sum % 100n).padStart(2, '0')}`;
    return { amount: total, bankReference: null, batch, ...over } satisfies EntryDraft;
  }

  it('are told apart by the payment’s reference: an act books each once, whatever report is first', async () => {
    const amount = desk.newAmount();
    const entryReference = newId('back');
    const early = await desk.shows(entryOf(amount, ['X-1'], { entryReference }), 'INTRADAY');
    const customer = ['--customer', desk.customer.scope.customerId];
    await desk.remember();
    const act = await desk.done(...applied(early, 'RECOVER', ...customer));
    const { statementId } = await desk.shows(entryOf(amount, ['Y-1', 'X-1'], { entryReference }));
    const recover = (line: number) => [
      ...['exceptions', 'apply', `${statementId}/${String(line)}`, '--act', 'RECOVER'],
      ...customer,
    ];
    expect(await desk.refused(...recover(2))).toContain(`act ${act} has ended it`);
    await desk.done(...recover(1));
    expect(await desk.moved()).toMatchObject({ nostro: 2n * minorOf(amount) });
  });

  it('come back each once, in whatever order two reports list them', async () => {
    const amount = desk.newAmount();
    const payments = [await desk.paid(amount), await desk.paid(amount)];
    const references = payments.map(({ reference }) => reference);
    const back = { direction: 'CRDT', returnReason: 'AC04' } as const;
    const over = { ...back, entryReference: newId('back') };
    await desk.shows(entryOf(amount, references, over), 'INTRADAY');
    const again = await desk.shows(entryOf(amount, references.toReversed(), over));
    const outcomes = await desk.outcomes(again);
    expect(outcomes.slice(0, 2)).toEqual(['REPEATED', 'REPEATED']);
    const alone = { ...back, amount, reference: references[0] ?? '', bankReference: newId('back') };
    expect(await desk.outcomes(await desk.shows(alone, 'ADVICE'))).toEqual(['REPEATED']);
    expect(await desk.moved()).toMatchObject({ available: 2n * minorOf(amount) });
  });
});

describe('a line that shows what somebody has, and of which the bank says that both came', () => {
  const BOTH = ['--both-came', 'yes'];

  it('is returned to its payment, and reversed', async () => {
    const { amount, minor, deposit, returnOf } = await oneKey();
    const payment = await desk.paid(amount);
    await desk.shows(deposit, 'INTRADAY');
    await desk.remember();
    const ref = await desk.shows(returnOf(payment.reference));
    expect(await desk.outcomes(ref)).toEqual(['DUPLICATE_AT_BANK']);
    expect(await desk.refused(...applied(ref, 'CREDIT_RETURN'))).toContain('ACKNOWLEDGE');
    const act = await desk.done(...applied(ref, 'CREDIT_RETURN', ...BOTH));
    expect(await desk.moved()).toEqual({ available: minor, nostro: -minor, suspense: 0n });
    expect(await desk.payment(payment.id)).toMatchObject({
      ...{ status: 'RETURNED', reconciliation: 'RECONCILED' },
    });
    const again = await desk.shows(returnOf(payment.reference), 'ADVICE');
    expect(await desk.outcomes(again)).toEqual(['REPEATED']);
    await desk.done('exceptions', 'reverse', act);
    expect(await desk.moved()).toEqual({ available: 0n, nostro: 0n, suspense: 0n });
  });

  it('is returned to its payment where an act returned the other one to another payment', async () => {
    const { amount, minor, returnOf } = await oneKey();
    const [first, second] = [await desk.paid(amount), await desk.paid(amount)];
    const early = await desk.shows(returnOf('THEIR-REFERENCE'), 'INTRADAY');
    await desk.done(...creditReturn(early, first.id));
    const ref = await desk.shows(returnOf(second.reference));
    expect(await desk.outcomes(ref)).toEqual(['DUPLICATE_AT_BANK']);
    await desk.done(...applied(ref, 'CREDIT_RETURN', ...BOTH));
    expect(await desk.moved()).toEqual({
      available: 2n * minor,
      nostro: -2n * minor,
      suspense: 0n,
    });
  });

  /** A return in the books, and a report that shows its booking as a credit. */
  async function shownAsCredit() {
    const { amount, minor, deposit, returnOf } = await oneKey();
    const payment = await desk.paid(amount);
    await desk.shows(returnOf(payment.reference), 'INTRADAY');
    const second = await desk.paid(amount);
    await desk.remember();
    const ref = await desk.shows(deposit);
    expect(await desk.outcomes(ref)).toEqual(['DUPLICATE_AT_BANK']);
    return { minor, deposit, second, ref };
  }

  it('is returned to a payment that operators name, once on however many reports', async () => {
    const { minor, deposit, second, ref } = await shownAsCredit();
    const act = await desk.done(...creditReturn(ref, second.id, ...BOTH));
    expect(await desk.moved()).toEqual({ available: minor, nostro: -minor, suspense: 0n });
    const again: StatementRef = await desk.shows(deposit, 'ADVICE');
    expect(await desk.outcomes(again)).toEqual(['DUPLICATE_AT_BANK']);
    const twice = applied(again, 'WRITE_OFF', '--account', 'GOODWILL', ...BOTH);
    expect(await desk.refused(...twice)).toContain(`act ${act} has ended it`);
  });

  it('is written off, and reversed', async () => {
    const { minor, ref } = await shownAsCredit();
    const act = await desk.done(...applied(ref, 'WRITE_OFF', '--account', 'GOODWILL', ...BOTH));
    expect(await desk.moved()).toEqual({ available: 0n, nostro: -minor, suspense: 0n });
    await desk.done('exceptions', 'reverse', act);
    expect(await desk.moved()).toEqual({ available: 0n, nostro: 0n, suspense: 0n });
  });
});
