import { insertDeposit } from './insert-deposit.ts';
import { randomBytes } from 'node:crypto';
import type { Database, ScopedTransaction } from '../../src/db/client/database.ts';
import { lockDeposit, type DepositRow } from '../../src/db/onchain/deposit-store.ts';
import { newId } from '../../src/db/client/new-id.ts';
import { insertWallet } from '../../src/db/parties/wallet-store.ts';
import { lockFunding } from '../../src/db/payments/payment-funding-store.ts';
import {
  creditDeposit,
  orphanDeposit,
  type BookStep,
  type FundingBook,
} from '../../src/domain/onchain/deposits/funding-book.ts';
import type { Network } from '../../src/domain/onchain/network.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { writeBookStep } from '../../src/modules/ledger/write-book-step.ts';
import { seedPayingCustomer, type PayingCustomer } from './seed-payments.ts';

/** When everything is written. */
export const AT = new Date('2026-03-01T11:00:00.000Z');
const EXPIRES_AT = new Date('2026-03-01T12:00:00.000Z');
/** What the payment waits for: 100 USDC. */
export const DUE = 100_000_000n;
/** Who sends everything. */
export const SENDER = '0x1111111111111111111111111111111111111111';

/** So many random bytes as the network writes them. */
export const hex = (bytes: number): string => `0x${randomBytes(bytes).toString('hex')}`;

/** A made-up block. */
export const block = (at = AT) => ({ number: 7n, hash: hex(32), at });

type DepositFields = ReturnType<typeof depositTo>;

/** A transfer of what is due to an address of a payment. */
const depositTo = (to: string, paymentId: string) => ({
  ...{ network: 'BASE' as Network, txHash: hex(32), ordinal: 0, asset: 'USDC', amount: DUE },
  ...{ from: SENDER, to, paymentId, depositAddressId: null },
});

const cancel = (tx: ScopedTransaction, paymentId: string): Promise<unknown> =>
  tx.query(
    `UPDATE payments SET status = 'CANCELED', status_detail = 'CANCELED_ON_REQUEST',
       funds_status = 'BACK_IN_BALANCE', version = version + 1 WHERE id = $1`,
    [paymentId],
  );

export interface WaitingPayment {
  readonly scope: Scope;
  readonly paymentId: string;
  write<Result>(act: (tx: ScopedTransaction) => Promise<Result>): Promise<Result>;
  /** A transfer of what is due to the payment's address, nowhere stored. */
  facts(overrides?: Partial<DepositFields>): DepositFields;
  see(overrides?: Partial<DepositFields>): Promise<DepositRow>;
  /** One step of the payment's book, as a use case takes it; whether it was taken. */
  take(step: (book: FundingBook) => BookStep | null, isSpent?: boolean): Promise<boolean>;
  credit(deposit: Pick<DepositRow, 'id'>): Promise<boolean>;
  orphan(deposit: Pick<DepositRow, 'id'>, isSpent?: boolean): Promise<boolean>;
  deposits(): Promise<readonly DepositRow[]>;
}

/** A payment to a wallet of the customer's own that waits for a deposit of USDC; its id. */
export async function payByDeposit(
  db: Database,
  { scope, pay }: PayingCustomer,
  deposit: {
    readonly network: Network;
    readonly address: string;
    readonly amountDue: bigint;
    readonly expiresAt: Date;
    readonly at: Date;
  },
): Promise<string> {
  const { network, address, amountDue: amount, expiresAt, at } = deposit;
  const walletId = newId('wal');
  const kept = { ownership: 'SELF_HOSTED', vasp: null, proofNonce: '00'.repeat(16) } as const;
  const place = { endUserId: null, network, address: hex(20) };
  await db.write(scope, (tx) => insertWallet(tx, scope, { id: walletId, ...place, ...kept, at }));
  const paid = { amount, currency: 'USDC', rail: network, walletId };
  const funding = { network, asset: 'USDC', address, refundWalletId: null, expiresAt };
  const { id } = await pay({ fate: 'QUEUED', at, ...paid, funding });
  return id;
}

/**
 * A payment of a new customer to a wallet of its own that waits for deposits of 100 USDC on BASE, at a made-up address
 * unless one is given.
 */
export async function addWaitingPayment(
  db: Database,
  address: string = hex(20),
): Promise<WaitingPayment> {
  const customer = await seedPayingCustomer(db);
  const { scope } = customer;
  const write: WaitingPayment['write'] = (act) => db.write(scope, act);
  const paymentId = await payByDeposit(db, customer, {
    ...{ network: 'BASE', address, amountDue: DUE, expiresAt: EXPIRES_AT, at: AT },
  });
  const facts: WaitingPayment['facts'] = (overrides = {}) => ({
    ...depositTo(address, paymentId),
    ...overrides,
  });
  /** All that came to its address, oldest first. */
  const lockAll = async (tx: ScopedTransaction): Promise<DepositRow[]> => {
    const rows = await tx.query<{ id: string }>(
      'SELECT id FROM deposits WHERE payment_id = $1 ORDER BY seq',
      [paymentId],
    );
    const locked: DepositRow[] = [];
    for (const { id } of rows) {
      const row = await lockDeposit(tx, scope, id);
      if (row !== null) locked.push(row);
    }
    return locked;
  };
  const take: WaitingPayment['take'] = (step, isSpent = false) =>
    write(async (tx) => {
      const funding = await lockFunding(tx, scope, paymentId);
      if (funding === null) throw new Error('the funding is gone');
      const deposits = await lockAll(tx);
      const taken = step({ funding: { ...funding, isSpent }, deposits });
      if (taken !== null) await writeBookStep(tx, scope, funding, taken, AT);
      // A payment ends with its funding.
      if (taken?.status === 'CLOSED') await cancel(tx, paymentId);
      return taken !== null;
    });
  return {
    ...{ scope, paymentId, write, facts, take },
    see: (overrides) =>
      write(async (tx) => {
        const deposit = { id: newId('dep'), block: block(), ...facts(overrides) };
        return (await insertDeposit(tx, scope, deposit, AT)).row;
      }),
    credit: ({ id }) => take((book) => creditDeposit(book, id)),
    orphan: ({ id }, isSpent) => take((book) => orphanDeposit(book, id), isSpent),
    deposits: () => write(lockAll),
  };
}
