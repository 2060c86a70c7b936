import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyDeposit } from '../../../src/domain/onchain/deposits/apply-deposit.ts';
import type { BookedDeposit } from '../../../src/domain/onchain/deposits/deposit.ts';
import {
  amountReceived,
  creditDeposit,
  expiryOf,
  mayBeCompleted,
  type FundingBook,
} from '../../../src/domain/onchain/deposits/funding-book.ts';
import {
  anyDeposits,
  anyEvents,
  awaited,
  DepositModel,
  EXPIRES_AT,
  seen,
  type Event,
} from '../../support/onchain/deposit-model.ts';

const IN_BOOKS = ['CREDITED', 'FINAL', 'BLOCKED'];
const NOSTROS = ['nostro:BASE', 'nostro:POLYGON'];
const ASSETS = ['USDC', 'EURC'];
const total = (amounts: readonly bigint[]) => amounts.reduce((sum, one) => sum + one, 0n);
const play = (model: DepositModel, events: readonly Event[]) => {
  for (const event of events) model.happens(event);
};
/** What is the customer's in an asset, spent or not, less what it owes. */
const owned = (model: DepositModel, asset: string) =>
  total(['available', 'spent', 'receivable'].map((account) => model.sum(account, asset)));

function expectEveryUnitInOnePlace(model: DepositModel): void {
  const { funding, deposits } = model;
  const booked = deposits.filter(({ status }) => IN_BOOKS.includes(status));
  const received = amountReceived(deposits);
  for (const asset of ASSETS) {
    const came = booked.filter((one) => one.asset === asset);
    const blocked = came.filter(({ status }) => status === 'BLOCKED');
    expect(-total(NOSTROS.map((account) => model.sum(account, asset)))).toBe(
      total(came.map(({ amount }) => amount)),
    );
    expect(model.sum('suspense', asset)).toBe(total(blocked.map(({ amount }) => amount)));
    expect(model.sum('available', asset) >= 0n).toBe(true);
    expect(model.sum('available', asset) === 0n || model.sum('receivable', asset) === 0n).toBe(
      true,
    );
  }
  expect(model.sum('pending')).toBe(funding.status === 'AWAITED' ? received : 0n);
  const isHeld = funding.status === 'HELD' && !funding.isSpent;
  expect(model.sum('reserved')).toBe(isHeld ? funding.amountDue : 0n);
  if (isHeld) expect(received).toBe(funding.amountDue);
  if (funding.status === 'AWAITED') expect(received < funding.amountDue).toBe(true);
  expect(new Set(model.made).size).toBe(model.made.length);
}

describe('deposits of a payment', () => {
  it('are each in one place, to the last unit, whatever happens, in any order, however often', () => {
    fc.assert(
      fc.property(anyDeposits, anyEvents, (deposits, events) => {
        const model = new DepositModel(deposits);
        for (const event of events) {
          model.happens(event);
          expectEveryUnitInOnePlace(model);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('change nothing when any event is told twice', () => {
    const told = anyEvents.map((events) => events.filter(({ act }) => act !== 'SPEND'));
    fc.assert(
      fc.property(anyDeposits, told, (deposits, events) => {
        const once = new DepositModel(deposits);
        play(once, events);
        const twice = new DepositModel(deposits);
        play(
          twice,
          events.flatMap((event) => [event, event]),
        );
        expect(twice.accounts).toEqual(once.accounts);
        expect(twice.deposits).toEqual(once.deposits);
      }),
    );
  });

  it('bring the payment what is due and the customer the rest, in whatever order they come', () => {
    const shuffled = anyDeposits.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.keys()], { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([deposits, order]) => {
        const model = new DepositModel(deposits);
        play(
          model,
          order.map((at) => ({ act: 'CREDIT', at })),
        );
        const fitting = deposits.filter(
          ({ asset, network, blockAt }) =>
            asset === 'USDC' && network === 'BASE' && blockAt <= EXPIRES_AT,
        );
        const fit = total(fitting.map(({ amount }) => amount));
        const toPayment = fit < 100n ? fit : 100n;
        expect(model.sum(fit < 100n ? 'pending' : 'reserved')).toBe(toPayment);
        const came = total(ASSETS.map((asset) => owned(model, asset)));
        expect(came).toBe(total(deposits.map(({ amount }) => amount)) - toPayment);
      }),
    );
  });

  it('that are orphaned and mined again in time leave everything as though they never were', () => {
    fc.assert(
      fc.property(anyDeposits, fc.nat({ max: 5 }), (deposits, at) => {
        const credits = deposits.map((_one, index): Event => ({ act: 'CREDIT', at: index }));
        const model = new DepositModel(deposits);
        play(model, credits);
        const { status } = model.funding;
        const accounts = new Map(model.accounts);
        play(model, [
          { act: 'ORPHAN', at },
          { act: 'SEE_AGAIN', at },
          { act: 'CREDIT', at },
        ]);
        expect(model.funding.status).toBe(status);
        for (const [account, minor] of accounts)
          expect(model.accounts.get(account) ?? 0n).toBe(minor);
      }),
    );
  });

  it('that all are orphaned after the payout are owed by the customer alone', () => {
    const model = new DepositModel([seen({ amount: 130n, id: 'dep_0' })]);
    play(model, [{ act: 'CREDIT', at: 0 }, { act: 'PAY_OUT' }, { act: 'ORPHAN', at: 0 }]);
    expect(model.sum('available')).toBe(0n);
    expect(model.sum('receivable')).toBe(-100n);
    expect(model.sum('nostro:BASE')).toBe(0n);
    play(model, [
      { act: 'SEE_AGAIN', at: 0 },
      { act: 'CREDIT', at: 0 },
    ]);
    // What comes again repays first: the payment was paid once and takes nothing more.
    expect(model.sum('receivable')).toBe(0n);
    expect(model.sum('available')).toBe(30n);
    expect(model.deposits[0]?.applied).toMatchObject({ appliedTo: 'BALANCE', reason: 'SURPLUS' });
  });

  it('that wait for a payment repay nothing of what the customer owes', () => {
    const model = new DepositModel([seen({ amount: 60n, id: 'dep_0' })]);
    model.accounts.set('receivable USDC', -50n);
    model.happens({ act: 'CREDIT', at: 0 });
    expect([model.sum('pending'), model.sum('receivable')]).toEqual([60n, -50n]);
    model.happens({ act: 'CLOSE' });
    expect([model.sum('available'), model.sum('receivable')]).toEqual([10n, 0n]);
    expect(model.deposits[0]?.applied).toMatchObject({ appliedTo: 'BALANCE', reason: 'UNDERPAID' });
  });
});

describe('where a deposit goes', () => {
  const late = new Date(EXPIRES_AT.getTime() + 1_000);
  it.each([
    ['exactly what is due, at the last moment', seen(), 0n, ['PAYMENT', null, 100n]],
    ['a part', seen({ amount: 99n }), 0n, ['PAYMENT', null, 99n]],
    ['one unit more than is missing', seen({ amount: 41n }), 60n, ['PAYMENT', 'SURPLUS', 40n]],
    ['one second late', seen({ blockAt: late }), 0n, ['BALANCE', 'LATE', 0n]],
    ['another asset', seen({ asset: 'USDT' }), 0n, ['BALANCE', 'WRONG_ASSET', 0n]],
    ['another network', seen({ network: 'POLYGON' }), 0n, ['BALANCE', 'WRONG_NETWORK', 0n]],
  ])('%s', (_what, deposit, received, [appliedTo, reason, toPayment]) => {
    const expected = { appliedTo, reason, toPayment };
    expect(applyDeposit(awaited, received, deposit)).toEqual(expected);
  });

  it('to the balance once the payment is complete or has ended', () => {
    const after = (status: 'HELD' | 'CLOSED') => applyDeposit({ ...awaited, status }, 0n, seen());
    expect(after('HELD')).toEqual({ appliedTo: 'BALANCE', reason: 'SURPLUS', toPayment: 0n });
    expect(after('CLOSED')).toEqual({ appliedTo: 'BALANCE', reason: 'LATE', toPayment: 0n });
  });

  it('of a standing address to the balance, and less than it takes is told', () => {
    const funding = { status: null, minAmount: 100n } as const;
    const creditOf = (amount: bigint) =>
      creditDeposit({ funding, deposits: [seen({ amount })] }, 'dep_1');
    expect(creditOf(99n)).toMatchObject({
      status: null,
      changed: [{ applied: { appliedTo: 'BALANCE', reason: 'BELOW_MINIMUM', toPayment: 0n } }],
      movements: [{ movement: { kind: 'DEPOSIT', pending: 0n, available: 99n } }],
    });
    expect(creditOf(100n)?.changed[0]?.applied?.reason).toBeNull();
  });
});

describe('a payment that waits for deposits', () => {
  const after = (ms: number) => new Date(EXPIRES_AT.getTime() + ms);
  const book = (overrides: Partial<FundingBook> = {}): FundingBook => ({
    ...{ funding: awaited, deposits: [] },
    ...overrides,
  });

  it('expires only once the final cursor has passed its time', () => {
    expect(expiryOf(book(), EXPIRES_AT, true)).toBeNull();
    expect(expiryOf(book(), after(1), true)).toBe('DEPOSIT_EXPIRED');
  });

  it('expires as underpaid with a part, which a late or wrong deposit is not', () => {
    const part = creditDeposit(book({ deposits: [seen({ amount: 1n })] }), 'dep_1')?.changed ?? [];
    expect(expiryOf(book({ deposits: part }), after(1), true)).toBe('DEPOSIT_UNDERPAID');
    const wrong = [seen({ blockAt: after(1) }), seen({ asset: 'EURC' })];
    expect(expiryOf(book({ deposits: wrong }), after(1), true)).toBe('DEPOSIT_EXPIRED');
  });

  it('does not expire while one that came in time is not judged yet, nor once it is complete', () => {
    expect(expiryOf(book({ deposits: [seen()] }), after(1), true)).toBeNull();
    expect(expiryOf(book({ funding: { ...awaited, status: 'HELD' } }), after(1), true)).toBeNull();
  });

  it('keeps the rate of a quote for an hour of looking up and no longer; without one it waits on', () => {
    const hour = 3_600_000;
    const looked = book({ deposits: [seen()] });
    expect(expiryOf(looked, after(hour), true)).toBeNull();
    expect(expiryOf(looked, after(hour + 1), true)).toBe('DEPOSIT_EXPIRED');
    expect(expiryOf(looked, after(1_000 * hour), false)).toBeNull();
  });

  it('is kept from its end by no dust that could not complete it', () => {
    const dust = book({ deposits: [seen({ amount: 1n })] });
    for (const isQuoted of [true, false]) {
      expect(expiryOf(dust, after(1), isQuoted)).toBe('DEPOSIT_UNDERPAID');
    }
  });

  it('may still be completed by what is blocked or looked up, and by what is credited beside it, but by no kept one', () => {
    const half = awaited.amountDue / 2n;
    const [first, second] = [{ amount: half }, { id: 'dep_2', amount: awaited.amountDue - half }];
    const of = (...deposits: readonly BookedDeposit[]) => mayBeCompleted(book({ deposits }));
    for (const status of ['SEEN', 'BLOCKED'] as const) {
      expect(of(seen({ status }))).toBe(true);
      expect(of(seen({ ...first, status }))).toBe(false);
      expect(of(seen({ ...first, status }), seen({ ...second, status: 'KEPT' }))).toBe(false);
      expect(of(seen({ status, blockAt: after(1) }))).toBe(false);
    }
    expect(of(seen({ status: 'KEPT' }))).toBe(false);
    expect(of(seen({ status: 'ORPHANED' }))).toBe(false);
    const applied = { appliedTo: 'PAYMENT', reason: null, toPayment: half } as const;
    const credited = seen({ ...first, status: 'CREDITED', applied });
    expect(of(credited, seen({ ...second, status: 'BLOCKED' }))).toBe(true);
    expect(of(credited, seen({ ...second, status: 'KEPT' }))).toBe(false);
  });
});
