import fc from 'fast-check';
import type { Funding } from '../../../src/domain/onchain/deposits/apply-deposit.ts';
import { DEPOSIT_MOVES, type BookedDeposit } from '../../../src/domain/onchain/deposits/deposit.ts';
import {
  blockDeposit,
  closeFunding,
  creditDeposit,
  orphanDeposit,
  type BookStep,
} from '../../../src/domain/onchain/deposits/funding-book.ts';
import { depositLines } from '../../../src/domain/ledger/deposit-movements.ts';

/** When the payment's time ends. */
export const EXPIRES_AT = new Date('2026-03-01T12:00:00.000Z');
const EARLIER = new Date('2026-03-01T11:59:59.000Z');
const LATER = new Date('2026-03-01T12:00:01.000Z');

export const awaited: Funding = {
  asset: 'USDC',
  network: 'BASE',
  amountDue: 100n,
  expiresAt: EXPIRES_AT,
  status: 'AWAITED',
  isSpent: false,
};

/** A deposit of 100 units in time that is SEEN. */
export const seen = (overrides: Partial<BookedDeposit> = {}): BookedDeposit => ({
  ...{ id: 'dep_1', network: 'BASE', asset: 'USDC', amount: 100n, blockAt: EXPIRES_AT },
  ...{ status: 'SEEN', applied: null, round: 1 },
  ...overrides,
});

/** Deposits by their place in the array, in time and late, of several assets and networks. */
export const anyDeposits: fc.Arbitrary<readonly BookedDeposit[]> = fc
  .array(
    fc.record({
      amount: fc.bigInt({ min: 1n, max: 150n }),
      blockAt: fc.constantFrom(EARLIER, EXPIRES_AT, EARLIER, LATER),
      asset: fc.constantFrom('USDC', 'USDC', 'USDC', 'EURC'),
      network: fc.constantFrom('BASE', 'BASE', 'BASE', 'POLYGON'),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) => all.map((one, index) => seen({ ...one, id: `dep_${String(index)}` })));

export type Act = 'CREDIT' | 'BLOCK' | 'ORPHAN' | 'FINAL' | 'SEE_AGAIN';
export type Event =
  | { readonly act: Act; readonly at: number }
  | { readonly act: 'CLOSE' | 'PAY_OUT' }
  | { readonly act: 'SPEND'; readonly share: bigint };

/** What may happen to a payment's deposits, in any order and any number of times. */
export const anyEvents: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: eventsOf('CREDIT') },
    { weight: 5, arbitrary: eventsOf('ORPHAN') },
    { weight: 5, arbitrary: eventsOf('SEE_AGAIN') },
    { weight: 1, arbitrary: eventsOf('BLOCK') },
    { weight: 1, arbitrary: eventsOf('FINAL') },
    { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('CLOSE' as const, 'PAY_OUT') }) },
    {
      weight: 2,
      arbitrary: fc.record({
        act: fc.constant('SPEND' as const),
        share: fc.bigInt({ min: 1n, max: 100n }),
      }),
    },
  ),
  { maxLength: 40 },
);

function eventsOf(act: Act): fc.Arbitrary<Event> {
  return fc.record({ act: fc.constant(act), at: fc.nat({ max: 5 }) });
}

/** A payment's funding, its deposits and the accounts that their movements fill. */
export class DepositModel {
  funding: Funding = awaited;
  deposits: readonly BookedDeposit[];
  /** Minor units by account and asset, as `pending USDC`; what is spent is in `spent`. */
  readonly accounts = new Map<string, bigint>();
  /** Every movement that was made: deposit, round and kind. */
  readonly made: string[] = [];

  constructor(deposits: readonly BookedDeposit[]) {
    this.deposits = deposits;
  }

  sum(account: string, asset = 'USDC'): bigint {
    return this.accounts.get(`${account} ${asset}`) ?? 0n;
  }

  happens(event: Event): void {
    switch (event.act) {
      case 'CLOSE':
        this.write(closeFunding(this));
        return;
      case 'PAY_OUT':
        if (this.funding.status !== 'HELD' || this.funding.isSpent) return;
        this.move('reserved', 'paid', this.funding.amountDue);
        this.funding = { ...this.funding, isSpent: true };
        return;
      case 'SPEND':
        this.move('available', 'spent', (this.sum('available') * event.share) / 100n);
        return;
      default:
        this.happensTo(event.act, `dep_${String(event.at)}`);
    }
  }

  private happensTo(act: Act, id: string): void {
    switch (act) {
      case 'CREDIT':
        this.write(creditDeposit(this, id));
        return;
      case 'BLOCK':
        this.write(blockDeposit(this, id));
        return;
      case 'ORPHAN':
        this.write(orphanDeposit(this, id));
        return;
      case 'FINAL':
        this.setStatus(id, 'FINAL');
        return;
      case 'SEE_AGAIN':
        this.setStatus(id, 'SEEN');
    }
  }

  private setStatus(id: string, status: BookedDeposit['status']): void {
    this.deposits = this.deposits.map((one) =>
      one.id === id && DEPOSIT_MOVES[one.status].includes(status) ? { ...one, status } : one,
    );
  }

  private write(step: BookStep | null): void {
    if (step === null) return;
    this.funding = { ...this.funding, status: step.status ?? this.funding.status };
    const before = new Map(this.deposits.map((one) => [one.id, one]));
    for (const one of step.changed) {
      const was = before.get(one.id)?.status ?? 'SEEN';
      if (was !== one.status && !DEPOSIT_MOVES[was].includes(one.status))
        throw new Error(`${was} became ${one.status}`);
    }
    const changed = new Map(step.changed.map((one) => [one.id, one]));
    this.deposits = this.deposits.map((one) => changed.get(one.id) ?? one);
    for (const { depositId, round, movement } of step.movements) {
      this.made.push(`${depositId} ${String(round)} ${movement.kind}`);
      const deposit = before.get(depositId);
      if (deposit === undefined) throw new Error('a movement of no deposit');
      const { network, asset } = deposit;
      const lines = depositLines(network, asset, movement, this.sum('available', asset));
      for (const { account, currency, minor } of lines) this.add(account, currency, minor);
      this.repay(asset);
    }
  }

  /** What is available repays what is owed, as the store does with every credit. */
  private repay(asset: string): void {
    const owed = -this.sum('receivable', asset);
    const available = this.sum('available', asset);
    const repaid = owed < available ? owed : available;
    this.add('available', asset, -repaid);
    this.add('receivable', asset, repaid);
  }

  private move(from: string, to: string, minor: bigint): void {
    this.add(from, 'USDC', -minor);
    this.add(to, 'USDC', minor);
  }

  private add(account: string, asset: string, minor: bigint): void {
    this.accounts.set(`${account} ${asset}`, this.sum(account, asset) + minor);
  }
}
