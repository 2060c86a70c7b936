import {
  beginCursor,
  moveCursor,
  readFinalCursor,
} from '../../src/db/onchain/chain-cursor-store.ts';
import type { Database } from '../../src/db/client/database.ts';
import type { DepositRow } from '../../src/db/onchain/deposit-store.ts';
import { insertDeposit } from './insert-deposit.ts';
import { recordEvent } from '../../src/db/webhooks/event-store.ts';
import { newId } from '../../src/db/client/new-id.ts';
import { depositEvent } from '../../src/modules/ledger/funding/deposit-view.ts';
import { lockBook } from '../../src/modules/ledger/funding/locked-book.ts';
import { takeBookStep } from '../../src/modules/ledger/funding/take-book-step.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Network } from '../../src/domain/onchain/network.ts';
import {
  blockDeposit,
  creditDeposit,
  finaliseDeposit,
  orphanDeposit,
  type BookStep,
  type FundingBook,
} from '../../src/domain/onchain/deposits/funding-book.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { hex, SENDER } from './deposit-harness.ts';

interface Harness {
  readonly database: { readonly db: Database };
  readonly clock: Clock;
  readonly scope: Scope;
}

/** A payment as its partner is answered. */
export interface FundedAnswer {
  readonly id: string;
  readonly funding: {
    readonly address: string;
    readonly amountDue: string;
    readonly expiresAt: string;
  };
}

interface Sent {
  /** Minor units. */
  readonly amount: bigint;
  readonly asset?: string;
  readonly network?: Network;
  /** Of the block; now unless given. */
  readonly minedAt?: Date;
}

/** A block of BASE holds a transfer of USDC to a payment's address, unless told otherwise. */
export function seeDeposit(
  { database, clock, scope }: Harness,
  { id: paymentId, funding }: Pick<FundedAnswer, 'id'> & { funding: { address: string } },
  { amount, asset = 'USDC', network = 'BASE', minedAt }: Sent,
): Promise<DepositRow> {
  const at = clock.now();
  return database.db.write(scope, async (tx) => {
    const { row, isNew } = await insertDeposit(
      tx,
      scope,
      {
        ...{ id: newId('dep'), network, asset, amount, txHash: hex(32), ordinal: 0 },
        ...{ from: SENDER, to: funding.address, paymentId, depositAddressId: null },
        block: { number: 7n, hash: hex(32), at: minedAt ?? at },
      },
      at,
    );
    if (isNew) await recordEvent(tx, scope, depositEvent('deposit.seen', row), at);
    return row;
  });
}

/** One step of a payment's book as the reader of its chain takes it; whether it was taken. */
function take(
  { database, clock, scope }: Harness,
  { id, paymentId }: Pick<DepositRow, 'id' | 'paymentId'>,
  step: (book: FundingBook) => BookStep | null,
): Promise<boolean> {
  if (paymentId === null) throw new Error('the deposit is to a standing address');
  return database.db.write(scope, async (tx) => {
    const book = await lockBook(tx, scope, { paymentId, depositAddressId: null, depositId: id });
    const taken = step(book.book);
    if (taken !== null) await takeBookStep(tx, scope, book, taken, clock.now());
    return taken !== null;
  });
}

/** The deposit is deep enough, and its sender is clear. */
export const credit = (harness: Harness, deposit: DepositRow): Promise<boolean> =>
  take(harness, deposit, (book) => creditDeposit(book, deposit.id));

/** The deposit is deep enough, and its sender is on a list. */
export const block = (harness: Harness, deposit: DepositRow): Promise<boolean> =>
  take(harness, deposit, (book) => blockDeposit(book, deposit.id));

/** No reorganisation takes the deposit back any more. */
export const finalise = (harness: Harness, deposit: DepositRow): Promise<boolean> =>
  take(harness, deposit, (book) => finaliseDeposit(book, deposit.id));

/** The block that held the deposit is gone. */
export const orphan = (harness: Harness, deposit: DepositRow): Promise<boolean> =>
  take(harness, deposit, (book) => orphanDeposit(book, deposit.id));

/** Everything up to a block of this time is read where nothing goes any more. */
export async function readUpTo({ database, clock }: Harness, at: Date): Promise<void> {
  const place = { environment: 'test', network: 'BASE' } as const;
  const now = clock.now();
  await database.db.system(async (tx) => {
    await beginCursor(tx, place, 'FINAL', { number: 1n, hash: hex(32), at: new Date(0) }, now);
    const from = await readFinalCursor(tx, place);
    if (from === null) throw new Error('the cursor is gone');
    await moveCursor(tx, place, 'FINAL', {
      ...{ from, to: { number: from.number + 1n, hash: hex(32), at }, now },
    });
  });
}
