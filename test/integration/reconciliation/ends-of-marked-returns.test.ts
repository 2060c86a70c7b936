import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import {
  applied,
  createReturnsDesk,
  creditReturn,
  lineOf,
  minorOf,
  type ReturnsDesk,
} from '../../support/reconciliation/returns-desk.ts';

let desk: ReturnsDesk;
beforeAll(async () => {
  desk = await createReturnsDesk(52_000);
});
afterAll(() => desk.close());

describe('an act that another act rests on', () => {
  it('is not reversed before that: no customer gets back more than was sent and recovered', async () => {
    const amount = desk.newAmount();
    const minor = minorOf(amount);
    const { id, reference } = await desk.paid(amount);
    const again = await desk.shows({ reference, amount, bankReference: newId('back') });
    const recovery = await desk.done(...applied(again, 'RECOVER'));
    await desk.done(...creditReturn(await desk.shows(desk.marked({ amount })), id));
    const credited = await desk.done(
      ...creditReturn(await desk.shows(desk.marked({ amount })), id),
    );
    expect(await desk.moved()).toMatchObject({ available: minor, suspense: 0n });

    const why = await desk.refusedWhenApproved('exceptions', 'reverse', recovery);
    expect(why).toContain(`Reverse act ${credited} first`);
    expect(await desk.moved()).toMatchObject({ available: minor, suspense: 0n });
    await desk.done('exceptions', 'reverse', credited);
    await desk.done('exceptions', 'reverse', recovery);
    expect(await desk.moved()).toMatchObject({ available: minor, suspense: minor });
  });
});

describe('two credits that may be one booking', () => {
  /** Two payments of one amount, and two credits of it that nothing tells apart. */
  async function pair() {
    const amount = desk.newAmount();
    const payments = [await desk.paid(amount), await desk.paid(amount)] as const;
    const entry = desk.marked({ amount, bankReference: null });
    const first = await desk.shows(entry, 'INTRADAY');
    const second = await desk.shows(entry);
    expect(await desk.outcomes(second)).toEqual(['POSSIBLE_DUPLICATE']);
    return { minor: minorOf(amount), payments, first, second };
  }

  it.each([
    ['the later one', 0],
    ['the earlier one', 1],
  ])('are not returned to two payments: %s is refused', async (_which, order) => {
    const { minor, payments, first, second } = await pair();
    const [one, other] = order === 0 ? [first, second] : [second, first];
    const meanwhile = await desk.propose(...creditReturn(other, payments[1].id));
    await desk.done(...creditReturn(one, payments[0].id));
    const credit = await desk.creditOf(one);
    const approved = await desk.approve(meanwhile.id);
    expect(approved).toMatchObject({ code: 1 });
    expect(approved.printed).toContain(`Credit ${credit} may be the same booking, and is RETURNED`);
    expect(await desk.refused(...creditReturn(other, payments[1].id))).toContain(credit);
    expect(await desk.refused(...applied(other, 'WRITE_OFF', '--account', 'GOODWILL'))).toContain(
      credit,
    );
    expect(await desk.moved()).toMatchObject({ available: minor, suspense: minor });
  });

  it('are, if operators say that both came', async () => {
    const { minor, payments, first, second } = await pair();
    await desk.done(...creditReturn(second, payments[0].id));
    await desk.done(...creditReturn(first, payments[1].id, '--both-came', 'yes'));
    expect(await desk.moved()).toMatchObject({ available: 2n * minor, suspense: 0n });
  });

  it('are one: what was returned wrongly is reversed and dismissed', async () => {
    const { minor, payments, first, second } = await pair();
    const act = await desk.done(...creditReturn(second, payments[0].id));
    await desk.done('exceptions', 'reverse', act);
    await desk.done('credits', 'dismiss', await desk.creditOf(second));
    await desk.done(...creditReturn(first, payments[1].id));
    expect(await desk.moved()).toEqual({ available: minor, nostro: -minor, suspense: 0n });
  });

  it('are one: the earlier one is dismissed once the later one is decided, and not before', async () => {
    const { minor, payments, first, second } = await pair();
    const creditId = await desk.creditOf(first);
    expect(await desk.refused('credits', 'dismiss', creditId)).toContain('not a possible dup');
    const act = await desk.done(...creditReturn(second, payments[0].id));
    await desk.done('credits', 'dismiss', creditId);
    expect(await desk.moved()).toEqual({ available: minor, nostro: -minor, suspense: 0n });

    await desk.done('exceptions', 'reverse', act);
    const both = await desk.refusedWhenApproved('credits', 'dismiss', await desk.creditOf(second));
    expect(both).toContain('cannot be closed');
    expect(await desk.moved()).toEqual({ available: 0n, nostro: -minor, suspense: minor });
  });

  it('is said of no other line', async () => {
    const ref = await desk.shows({ amount: desk.newAmount(), bankReference: newId('back') });
    const wanted = applied(ref, 'WRITE_OFF', '--account', 'GOODWILL', '--both-came', 'yes');
    expect(await desk.refused(...wanted)).toContain('shows no credit');
  });
});

describe('a return that the bank told, and that its statement shows without our reference', () => {
  it('is in the books once: the act reconciles the payment, and credits nobody', async () => {
    const amount = desk.newAmount();
    const minor = minorOf(amount);
    const { id } = await desk.toldReturned(amount);
    const ref = await desk.shows(desk.marked({ amount }));
    expect(await desk.moved()).toEqual({ available: minor, nostro: -2n * minor, suspense: minor });

    const act = await desk.done(...creditReturn(ref, id));
    expect(await desk.moved()).toEqual({ available: minor, nostro: -minor, suspense: 0n });
    expect(await desk.credit(await desk.creditOf(ref))).toMatchObject({ outcome: 'RETURNED' });
    expect(await desk.payment(id)).toMatchObject({
      ...{ status: 'RETURNED', reconciliation: 'RECONCILED' },
      evidence: { line: 1, return: { line: 1, shownBy: act } },
    });

    await desk.done('exceptions', 'reverse', act);
    expect(await desk.moved()).toEqual({ available: minor, nostro: -2n * minor, suspense: minor });
    const { reconciliation, evidence } = await desk.payment(id);
    expect({ reconciliation, line: evidence?.['line'], back: evidence?.['return'] }).toEqual({
      ...{ reconciliation: 'PENDING', line: 1, back: undefined },
    });
    await desk.done(...creditReturn(ref, id));
    expect(await desk.payment(id)).toMatchObject({ reconciliation: 'RECONCILED' });
  });

  it('is not missing at the bank any more', async () => {
    const amount = desk.newAmount();
    const { id } = await desk.toldReturned(amount);
    await desk.rows(
      `UPDATE payments SET version = version + 1, reconciliation_status = 'EXCEPTION',
         reconciliation_evidence = jsonb_build_object('exception', 'MISSING_AT_BANK', 'before', reconciliation_evidence)
       WHERE id = $1`,
      [id],
    );
    await desk.done(...creditReturn(await desk.shows(desk.marked({ amount })), id));
    expect(await desk.payment(id)).toMatchObject({
      ...{ reconciliation: 'RECONCILED', evidence: { line: 1, return: { line: 1 } } },
    });
  });

  it('of another amount is refused with both, unless an account takes the difference', async () => {
    const amount = desk.newAmount();
    const { id } = await desk.toldReturned(amount, '200.00');
    const ref = await desk.shows(desk.marked({ amount: '199.50' }));
    const why = await desk.refused(...creditReturn(ref, id));
    expect(why).toContain('told that 200.00 EUR');
    expect(why).toContain('this is 199.50 EUR');
    await desk.done(...creditReturn(ref, id, '--account', 'BANK_CHARGES'));
    expect(await desk.moved()).toEqual({ available: 20_000n, nostro: -19_950n, suspense: 0n });
    expect(await desk.payment(id)).toMatchObject({ reconciliation: 'RECONCILED' });
  });

  it('gives the customer no part of it', async () => {
    const amount = desk.newAmount();
    const { id } = await desk.toldReturned(amount);
    const ref = await desk.shows(desk.marked({ amount }));
    expect(await desk.refused(...creditReturn(ref, id, '--amount', '1.00'))).toContain(
      'Leave the amount out',
    );
  });

  it('is another booking where a line under our reference comes after the act', async () => {
    const amount = desk.newAmount();
    const { id, reference } = await desk.toldReturned(amount);
    await desk.done(...creditReturn(await desk.shows(desk.marked({ amount })), id));
    const booked = await desk.moved();
    const named = await desk.shows(desk.marked({ amount, reference }));
    expect(await desk.outcomes(named)).toEqual(['DUPLICATE_AT_BANK']);
    expect(await desk.moved()).toEqual(booked);
    await desk.done(...applied(named, 'WRITE_OFF', '--account', 'GOODWILL'));
    expect(await desk.moved()).toMatchObject({ nostro: booked.nostro - minorOf(amount) });
    expect(await desk.payment(id)).toMatchObject({ reconciliation: 'RECONCILED' });
  });

  it('that a line under our reference shows first is closed by that line', async () => {
    const amount = desk.newAmount();
    const minor = minorOf(amount);
    const { id, reference } = await desk.toldReturned(amount);
    const entry = desk.marked({ amount });
    const unnamed = await desk.shows(entry, 'INTRADAY');
    const meanwhile = await desk.propose(...creditReturn(unnamed, id));
    const named = await desk.shows({ ...entry, reference });
    expect(await desk.outcomes(named)).toEqual(['RETURN']);
    const approved = await desk.approve(meanwhile.id);
    expect(approved).toMatchObject({ code: 1 });
    expect(await desk.refused(...creditReturn(unnamed, id))).not.toBe('');
    await desk.done(...(await desk.closing(await desk.creditOf(unnamed), named)));
    expect(await desk.moved()).toEqual({ available: minor, nostro: -minor, suspense: 0n });
  });
});

describe('a marked return of no payment of ours', () => {
  it('is written off by two operators, and waits again once that is reversed', async () => {
    const entry = desk.marked();
    const minor = minorOf(entry.amount);
    await desk.remember();
    const ref = await desk.shows(entry);
    expect(await desk.refused(...applied(ref, 'WRITE_OFF'))).toContain('Name the account');
    const act = await desk.done(...applied(ref, 'WRITE_OFF', '--account', 'GOODWILL'));
    expect(await desk.moved()).toEqual({ available: 0n, nostro: -minor, suspense: 0n });
    expect(await desk.credit(await desk.creditOf(ref))).toMatchObject({ outcome: 'WRITTEN_OFF' });
    const { printed } = await desk.ops('exceptions', 'list');
    expect(printed).not.toContain(lineOf(ref));

    await desk.done('exceptions', 'reverse', act);
    expect(await desk.moved()).toEqual({ available: 0n, nostro: -minor, suspense: minor });
    expect(await desk.credit(await desk.creditOf(ref))).toMatchObject({ outcome: null });
  });

  it('that is written off and taken back is an exception, and another deposit is not charged for it', async () => {
    const remittance = await desk.reference();
    const entry = desk.marked({ remittance });
    const { amount } = entry;
    await desk.shows({ amount, remittance, direction: 'CRDT', bankReference: newId('back') });
    await desk.done(...applied(await desk.shows(entry), 'WRITE_OFF', '--account', 'GOODWILL'));
    await desk.remember();
    const bookedAt = '2026-09-30T12:00:00Z';
    const taken = { ...entry, direction: 'DBIT', bookedAt } as const;
    const debit = await desk.shows(taken);
    expect(await desk.outcomes(debit)).toEqual(['UNEXPECTED_AT_BANK']);
    expect(await desk.moved()).toEqual({ available: 0n, nostro: 0n, suspense: 0n });
    await desk.done(...applied(debit, 'WRITE_OFF', '--account', 'GOODWILL'));
  });

  it('of an amount that no book can hold is no credit, and is acknowledged', async () => {
    await desk.remember();
    const ref = await desk.shows(desk.marked({ amount: '10.001' }));
    expect(await desk.outcomes(ref)).toEqual(['UNKNOWN_RETURN']);
    expect(await desk.creditOf(ref)).toBe('');
    await desk.done(...applied(ref, 'ACKNOWLEDGE'));
    const { printed } = await desk.ops('exceptions', 'list');
    expect(printed).not.toContain(lineOf(ref));
    expect(await desk.moved()).toEqual({ available: 0n, nostro: 0n, suspense: 0n });
  });
});

describe('a return that another report shows under our reference', () => {
  it('is closed by that line although a debit of its statement cancels it', async () => {
    const amount = desk.newAmount();
    const { reference } = await desk.pay('COMPLETED', { amount: minorOf(amount) });
    await desk.remember();
    const entry = desk.marked({ amount });
    const unnamed = await desk.shows(entry, 'INTRADAY');
    const debit = () => ({ reference, amount, bankReference: newId('back') });
    const day = await desk.shows([debit(), { ...entry, reference }, debit()]);
    expect((await desk.outcomes(day))[1]).toBe('OFFSET');
    const creditId = await desk.creditOf(unnamed);
    expect(await desk.refused('credits', 'assign', creditId, ...asDeposit())).toContain(
      'Close the credit by that line',
    );
    await desk.done(...(await desk.closing(creditId, day, 2)));
    expect(await desk.moved()).toEqual({ available: 0n, nostro: 0n, suspense: 0n });
  });

  it('is closed by a line that repeats the one by which the books have it', async () => {
    const amount = desk.newAmount();
    const minor = minorOf(amount);
    const { reference } = await desk.paid(amount);
    const entry = desk.marked({ amount });
    const unnamed = await desk.shows(entry, 'INTRADAY');
    await desk.shows({ ...entry, reference }, 'ADVICE');
    const again = await desk.shows({ ...entry, reference });
    expect(await desk.outcomes(again)).toEqual(['REPEATED']);
    await desk.done(...(await desk.closing(await desk.creditOf(unnamed), again)));
    expect(await desk.moved()).toEqual({ available: minor, nostro: -minor, suspense: 0n });
  });

  it('is closed by that line although the bank had told another amount, and the rest is written off', async () => {
    const amount = desk.newAmount();
    const { id, reference } = await desk.toldReturned(amount, '300.00');
    const entry = desk.marked({ amount: '299.00' });
    const unnamed = await desk.shows(entry, 'INTRADAY');
    const named = await desk.shows({ ...entry, reference });
    expect(await desk.outcomes(named)).toEqual(['AMOUNT_MISMATCH']);
    const creditId = await desk.creditOf(unnamed);
    const rest = applied(named, 'WRITE_OFF', '--account', 'BANK_CHARGES');
    expect(await desk.refused(...rest)).toContain(creditId);
    await desk.done(...(await desk.closing(creditId, named)));
    await desk.done(...rest);
    expect(await desk.moved()).toEqual({ available: 30_000n, nostro: -29_900n, suspense: 0n });
    expect(await desk.payment(id)).toMatchObject({ reconciliation: 'RECONCILED' });
  });

  it('is closed by that line also where the release before this one has ended its rest', async () => {
    const amount = desk.newAmount();
    const { reference } = await desk.toldReturned(amount, '310.00');
    const entry = desk.marked({ amount: '309.00' });
    const unnamed = await desk.shows(entry, 'INTRADAY');
    const creditId = await desk.creditOf(unnamed);
    const named = await desk.shows({ ...entry, reference });
    const shownBy = (credit: string | null) =>
      desk.rows('UPDATE statement_lines SET credit_id = $2 WHERE statement_id = $1', [
        unnamed.statementId,
        credit,
      ]);
    // It did not know that both show one booking.
    await shownBy(null);
    await desk.done(...applied(named, 'WRITE_OFF', '--account', 'BANK_CHARGES'));
    await shownBy(creditId);
    await desk.done(...(await desk.closing(creditId, named)));
    expect(await desk.moved()).toEqual({ available: 31_000n, nostro: -30_900n, suspense: 0n });
  });

  it('is not closed by that line where no book has its money', async () => {
    const amount = desk.newAmount();
    const { id, reference } = await desk.paid(amount);
    await desk.shows(desk.marked({ amount, reference }));
    const { returnReason: _mark, ...entry } = desk.marked({ amount });
    const unmarked = await desk.shows(entry, 'INTRADAY');
    const named = await desk.shows({ ...entry, reference, returnReason: 'AC04' });
    expect(await desk.outcomes(named)).toEqual(['DUPLICATE_AT_BANK']);
    const closing = await desk.closing(await desk.creditOf(unmarked), named);
    expect(await desk.refusedWhenApproved(...closing)).toContain('cannot be closed');
    expect(await desk.payment(id)).toMatchObject({ status: 'RETURNED' });
  });

  it.each([
    ['has another reference of the bank', { bankReference: 'ANOTHER-BOOKING' }],
    ['is booked days later', { bookedAt: '2026-10-02T12:00:00Z' }],
    ['has another amount', { amount: '411.01' }],
  ])('is not closed by a line that %s', async (_which, over) => {
    const { reference } = await desk.toldReturned('500.00', '500.00');
    const entry = desk.marked({ amount: '411.00', bankReference: newId('back') });
    const unnamed = await desk.shows(entry, 'INTRADAY');
    const named = await desk.shows({ ...entry, reference, ...over });
    expect(await desk.outcomes(named)).toEqual(['AMOUNT_MISMATCH']);
    const closing = await desk.closing(await desk.creditOf(unnamed), named);
    expect(await desk.refusedWhenApproved(...closing)).toContain('cannot be closed');
    // The next test has the same amount.
    await desk.done(...applied(unnamed, 'WRITE_OFF', '--account', 'GOODWILL'));
  });

  it('is acknowledged there where no book has it and its credit has ended', async () => {
    const amount = desk.newAmount();
    const { reference } = await desk.pay('FAILED', { amount: minorOf(amount) });
    await desk.remember();
    const entry = desk.marked({ amount });
    const unnamed = await desk.shows(entry, 'INTRADAY');
    const named = await desk.shows({ ...entry, reference });
    expect(await desk.outcomes(named)).toEqual(['LATE']);
    const writeOff = ['WRITE_OFF', '--account', 'GOODWILL'] as const;
    await desk.done(...applied(unnamed, ...writeOff));
    expect(await desk.refused(...applied(named, ...writeOff))).toContain('the same booking');
    await desk.done(...applied(named, 'ACKNOWLEDGE'));
    expect(await desk.moved()).toEqual({
      ...{ available: 0n, nostro: -minorOf(amount), suspense: 0n },
    });
  });

  it('is proposed for no customer', async () => {
    const amount = desk.newAmount();
    const { id, reference } = await desk.paid(amount);
    const entry = desk.marked({ amount });
    const creditId = await desk.creditOf(await desk.shows(entry, 'INTRADAY'));
    const meanwhile = await desk.propose('credits', 'assign', creditId, ...asDeposit());
    await desk.shows({ ...entry, reference });
    for (const why of [
      (await desk.approve(meanwhile.id)).printed,
      await desk.refused('credits', 'assign', creditId, ...asDeposit()),
    ]) {
      expect(why).toContain(`the return of payment ${id}. Close the credit by that line.`);
    }
  });
});

const asDeposit = () => [...['--customer', desk.customer.scope.customerId, '--not-return', 'yes']];
