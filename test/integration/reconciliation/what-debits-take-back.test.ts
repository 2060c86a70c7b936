import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import type { StatementRef } from '../../../src/domain/workflows/work-refs.ts';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';
import {
  applied,
  createReturnsDesk,
  creditReturn,
  lineOf,
  minorOf,
  type ReturnsDesk,
} from '../../support/reconciliation/returns-desk.ts';

const LATER = '2026-09-30T12:00:00Z';
const WRITE_OFF = ['WRITE_OFF', '--account', 'GOODWILL'] as const;

let desk: ReturnsDesk;
/** The funding reference of the customer. */
let remittance: string;
beforeAll(async () => {
  desk = await createReturnsDesk(71_000);
  remittance = await desk.reference();
});
afterAll(async () => {
  await desk.expectBooksToHold();
  await desk.close();
});

/** A deposit of the customer under a reference of its own. */
const deposit = (amount: string): EntryDraft => ({
  ...{ amount, direction: 'CRDT', bankReference: newId('back'), remittance },
});

/** What takes back so much, under a reference of its own and with the customer's funding reference. */
const debit = (amount: string, over: Partial<EntryDraft> = {}): EntryDraft => ({
  ...{ amount, direction: 'DBIT', returnReason: 'AM05', bankReference: newId('back') },
  ...{ remittance, bookedAt: LATER, ...over },
});

async function takes(entry: EntryDraft): Promise<StatementRef> {
  await desk.remember();
  return desk.shows(entry);
}

async function expectWaiting(ref: StatementRef): Promise<string> {
  expect(await desk.outcomes(ref)).toEqual(['UNEXPECTED_AT_BANK']);
  expect(await desk.moved()).toEqual({ available: 0n, nostro: 0n, suspense: 0n });
  return (await desk.ops('exceptions', 'show', lineOf(ref))).printed;
}

describe('a debit under a reference of its own, which may take back a deposit or a marked return', () => {
  it('charges no customer while the return is in suspense, and names both', async () => {
    const amount = desk.newAmount();
    const deposited = await desk.creditOf(await desk.shows(deposit(amount)));
    const returned = await desk.creditOf(await desk.shows(desk.marked({ amount, remittance })));
    const ref = await takes(debit(amount));
    const shown = await expectWaiting(ref);
    expect(shown).toContain('It may take back: ');
    expect(shown).toContain(`(${deposited}, CREDITED, customer ${desk.customer.scope.customerId})`);
    expect(shown).toContain(`(${returned}, in suspense)`);

    // The bank says that it was the return; the next one can only be the deposit.
    await desk.done(...(await desk.closing(returned, ref)));
    const next = await takes(debit(amount));
    expect(await desk.outcomes(next)).toEqual(['CREDIT_REVERSAL']);
    expect(await desk.moved()).toMatchObject({ available: -minorOf(amount) });
  });

  it('charges the customer where two operators say that it was the deposit', async () => {
    const amount = desk.newAmount();
    await desk.shows(deposit(amount));
    await desk.shows(desk.marked({ amount, remittance }));
    const ref = await takes(debit(amount));
    await expectWaiting(ref);
    const { customerId } = desk.customer.scope;
    await desk.done(...applied(ref, 'RECOVER', '--customer', customerId));
    expect(await desk.moved()).toMatchObject({ available: -minorOf(amount), suspense: 0n });
  });

  it('charges no customer where the return names its payment', async () => {
    const amount = desk.newAmount();
    const { id, reference } = await desk.paid(amount);
    await desk.shows(deposit(amount));
    await desk.shows(desk.marked({ amount, reference, remittance }));
    expect(await expectWaiting(await takes(debit(amount)))).toContain(`of payment ${id}`);
  });

  it.each(['returned', 'written off'])(
    'charges no customer where an act has %s it',
    async (how) => {
      const amount = desk.newAmount();
      const { id } = await desk.paid(amount);
      await desk.shows(deposit(amount));
      const back = await desk.shows(desk.marked({ amount, remittance }));
      const act = how === 'returned' ? creditReturn(back, id) : applied(back, ...WRITE_OFF);
      await desk.done(...act);
      await expectWaiting(await takes(debit(amount)));
    },
  );

  it('charges no customer where only the end-to-end reference is that of the return', async () => {
    const amount = desk.newAmount();
    await desk.shows(deposit(amount));
    await desk.shows(desk.marked({ amount, reference: 'THEIRS-4711' }));
    await expectWaiting(await takes(debit(amount, { reference: 'theirs-4711' })));
  });

  it('charges the customer whose deposit it names by the reference of the bank', async () => {
    const amount = desk.newAmount();
    const entry = deposit(amount);
    await desk.shows(entry);
    await desk.shows(desk.marked({ amount, remittance }));
    const { bankReference } = entry;
    const ref = await takes(debit(amount, { bankReference }));
    expect(await desk.outcomes(ref)).toEqual(['CREDIT_REVERSAL']);
    expect(await desk.moved()).toMatchObject({ available: -minorOf(amount), suspense: 0n });
  });

  it.each<[string, (amount: string) => Promise<unknown>]>([
    ['is of another amount', () => desk.shows(desk.marked({ remittance }))],
    ['has no reference of it', (amount) => desk.shows(desk.marked({ amount }))],
    [
      'is booked days after it',
      (amount) => desk.shows(desk.marked({ amount, remittance, bookedAt: '2026-10-05T12:00:00Z' })),
    ],
    [
      'was taken back before',
      async (amount) => {
        const back = desk.marked({ amount, remittance });
        await desk.shows(back);
        await desk.shows({ ...back, direction: 'DBIT', bookedAt: LATER });
      },
    ],
    [
      'is the deposit itself, as a later report marks it',
      async (amount) => {
        const entry = deposit(amount);
        await desk.shows(entry, 'INTRADAY');
        await desk.shows({ ...entry, returnReason: 'AC04' });
      },
    ],
  ])('charges the customer where the return %s', async (which, shows) => {
    const amount = desk.newAmount();
    if (!which.includes('itself')) await desk.shows(deposit(amount));
    await shows(amount);
    const ref = await takes(debit(amount));
    expect(await desk.outcomes(ref)).toEqual(['CREDIT_REVERSAL']);
    expect(await desk.moved()).toMatchObject({ available: -minorOf(amount), suspense: 0n });
  });
});

describe('a debit that found nothing to take back holds no later deposit', () => {
  async function expectCredited(amount: string): Promise<void> {
    await desk.remember();
    const ref = await desk.shows({ ...deposit(amount), bookedAt: LATER });
    expect(await desk.outcomes(ref)).toEqual(['CREDIT']);
    expect(await desk.moved()).toMatchObject({ available: minorOf(amount), suspense: 0n });
  }

  it('once an act has ended it', async () => {
    const amount = desk.newAmount();
    const ref = await takes(debit(amount));
    await expectWaiting(ref);
    await desk.done(...applied(ref, ...WRITE_OFF));
    await expectCredited(amount);
  });

  it('once another report of it has held one', async () => {
    const amount = desk.newAmount();
    const entry = debit(amount);
    await desk.shows(entry, 'INTRADAY');
    await desk.shows(entry);
    const held = await desk.shows({ ...deposit(amount), bookedAt: LATER });
    expect(await desk.outcomes(held)).toEqual(['UNKNOWN_RETURN']);
    await expectCredited(amount);
  });

  it.each<[string, (amount: string) => Promise<EntryDraft>]>([
    [
      'RETURNED',
      async (amount) => {
        const { id } = await desk.paid(amount);
        const back = desk.marked({ amount });
        await desk.done(...creditReturn(await desk.shows(back), id));
        return back;
      },
    ],
    [
      'WRITTEN_OFF',
      async (amount) => {
        const back = desk.marked({ amount });
        await desk.done(...applied(await desk.shows(back), ...WRITE_OFF));
        return back;
      },
    ],
    [
      'TIED',
      async (amount) => {
        const entry: EntryDraft = { amount, direction: 'CRDT', bankReference: newId('back') };
        const credit = await desk.creditOf(await desk.shows({ ...entry, reference: 'T-7100' }));
        await trade('T-7100', amount);
        await desk.done('credits', 'tie', credit, '--trade', 'T-7100');
        return entry;
      },
    ],
    [
      'CLOSED',
      async (amount) => {
        const entry: EntryDraft = { amount, direction: 'CRDT', bankReference: newId('back') };
        const credit = await desk.creditOf(await desk.shows(entry));
        const back = await desk.shows({ amount, bankReference: newId('back') });
        await desk.done(...(await desk.closing(credit, back)));
        return entry;
      },
    ],
    [
      'a return of its payment',
      async (amount) => {
        const { reference } = await desk.paid(amount);
        const back = desk.marked({ amount, reference });
        await desk.shows(back);
        return back;
      },
    ],
  ])('where the credit with its reference of the bank is %s', async (_what, end) => {
    const amount = desk.newAmount();
    const { bankReference } = await end(amount);
    await expectWaiting(await takes(debit(amount, { bankReference })));
    await expectCredited(amount);
  });

  it('where a marked return with its funding reference came before', async () => {
    const amount = desk.newAmount();
    const returned = await desk.creditOf(await desk.shows(desk.marked({ amount, remittance })));
    const ref = await takes(debit(amount));
    await expectWaiting(ref);
    await expectCredited(amount);
    await desk.done(...(await desk.closing(returned, ref)));
  });
});

const trade = (reference: string, amount: string) =>
  desk.done(
    ...['fx', 'cover', '--environment', 'test', '--reference', reference],
    ...['--sold', '900.00 USD', '--sold-from', 'ACH', '--bought', `${amount} EUR`],
    ...['--bought-to', 'SEPA'],
  );

describe('the earlier one of two credits that may be one booking, where the later one has left suspense', () => {
  /** Two alike credits, of which the later one is assigned. */
  async function pair(over: Partial<EntryDraft> = {}) {
    const amount = desk.newAmount();
    const entry: EntryDraft = { amount, direction: 'CRDT', bankReference: null, ...over };
    const first = await desk.creditOf(await desk.shows(entry, 'INTRADAY'));
    const ref = await desk.shows(entry);
    expect(await desk.outcomes(ref)).toEqual(['POSSIBLE_DUPLICATE']);
    await desk.remember();
    return { amount, minor: minorOf(amount), first, second: await desk.creditOf(ref) };
  }

  const assign = (credit: string, ...more: string[]) => [
    ...['credits', 'assign', credit, '--customer', desk.customer.scope.customerId],
    ...more,
  ];

  it('is assigned only where operators say that both came', async () => {
    const { minor, first, second } = await pair();
    const meanwhile = await desk.propose(...assign(first));
    await desk.done(...assign(second));
    const why = `Credit ${second} may be the same booking, and is ASSIGNED`;
    expect((await desk.approve(meanwhile.id)).printed).toContain(why);
    expect(await desk.refused(...assign(first))).toContain(why);
    expect(await desk.moved()).toMatchObject({ available: minor, suspense: -minor });
    await desk.done(...assign(first, '--both-came', 'yes'));
    expect(await desk.moved()).toMatchObject({ available: 2n * minor, suspense: -2n * minor });
  });

  it('is tied to a cover trade only where operators say that both came', async () => {
    const { amount, minor, first, second } = await pair({ reference: 'T-7101' });
    await trade('T-7101', amount);
    const tie = ['credits', 'tie', first, '--trade', 'T-7101'];
    const meanwhile = await desk.propose(...tie);
    await desk.remember();
    await desk.done(...assign(second));
    expect((await desk.approve(meanwhile.id)).printed).toContain(second);
    expect(await desk.refused(...tie)).toContain(`Credit ${second} may be the same booking`);
    expect(await desk.moved()).toMatchObject({ available: minor, suspense: -minor });
    await desk.done(...tie, '--both-came', 'yes');
    expect(await desk.moved()).toMatchObject({ available: minor, suspense: -2n * minor });
  });
});
