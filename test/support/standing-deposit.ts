import type { ScopedTransaction } from '../../src/db/client/database.ts';
import { findDepositAddress } from '../../src/db/parties/deposit-address-store.ts';
import { lockDeposit, moveDeposit } from '../../src/db/onchain/deposit-store.ts';
import { insertDeposit } from './insert-deposit.ts';
import { recordEvent } from '../../src/db/webhooks/event-store.ts';
import { lockFunding } from '../../src/db/payments/payment-funding-store.ts';
import { idOfDeposit } from '../../src/modules/ledger/funding/deposit-id.ts';
import { depositEvent } from '../../src/modules/ledger/funding/deposit-view.ts';
import { lockBook } from '../../src/modules/ledger/funding/locked-book.ts';
import { takeBookStep } from '../../src/modules/ledger/funding/take-book-step.ts';
import { blockDeposit, creditDeposit } from '../../src/domain/onchain/deposits/funding-book.ts';
import type { DepositStatus } from '../../src/domain/onchain/deposits/deposit.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { block, hex, SENDER } from './deposit-harness.ts';
import type { PaymentHarness, Payer } from './payment-harness.ts';

export interface StandingDeposit {
  readonly payer?: Payer;
  readonly asset?: string;
  /** Minor units; 100 unless told otherwise. */
  readonly amount?: bigint;
  /** A made-up one unless told otherwise. */
  readonly txHash?: string;
  /** Of the block; now unless told otherwise. */
  readonly minedAt?: Date;
  /** How far it comes: FINAL unless told otherwise. */
  readonly status?: Extract<DepositStatus, 'SEEN' | 'CREDITED' | 'FINAL' | 'BLOCKED'>;
}

/** Tokens that a block holds at the address of a payment that waits for them. */
export async function seeDepositOf(
  { database, clock }: Pick<PaymentHarness, 'database' | 'clock'>,
  scope: Scope,
  paymentId: string,
): Promise<void> {
  const at = clock.now();
  await database.db.write(scope, async (tx) => {
    const funding = await lockFunding(tx, scope, paymentId);
    if (funding === null) throw new Error('there is no payment that waits');
    const { network, asset, address: to } = funding;
    const facts = {
      ...{ network, asset, txHash: hex(32), ordinal: 0, from: SENDER, to, amount: 1n },
      ...{ paymentId, depositAddressId: null, block: block(at) },
    };
    const id = idOfDeposit(scope.environment, facts);
    const { row } = await insertDeposit(tx, scope, { id, ...facts }, at);
    await recordEvent(tx, scope, depositEvent('deposit.seen', row), at);
  });
}

/** Tokens that came to a deposit address on BASE, booked as the reader of the chain does. Answers the deposit's id. */
export async function bookStandingDeposit(
  harness: Pick<PaymentHarness, 'database' | 'clock' | 'payer'>,
  depositAddressId: string,
  deposit: StandingDeposit = {},
): Promise<string> {
  const { payer = harness.payer, asset = 'USDC', amount = 100_000_000n, status } = deposit;
  const { txHash = hex(32), minedAt } = deposit;
  const { scope } = payer;
  const at = harness.clock.now();
  const write = <Result>(act: (tx: ScopedTransaction) => Promise<Result>): Promise<Result> =>
    harness.database.db.write(scope, act);
  const id = await write(async (tx) => {
    const address = await findDepositAddress(tx, scope, depositAddressId);
    if (address === null) throw new Error('there is no such deposit address');
    const facts = {
      ...{ network: 'BASE' as const, txHash, ordinal: 0, asset, from: SENDER },
      ...{ to: address.address, amount, paymentId: null, depositAddressId },
      block: block(minedAt ?? at),
    };
    const event = { id: idOfDeposit(scope.environment, facts), ...facts };
    const { row } = await insertDeposit(tx, scope, event, at);
    await recordEvent(tx, scope, depositEvent('deposit.seen', row), at);
    return row.id;
  });
  if (status === 'SEEN') return id;
  await write(async (tx) => {
    const key = { paymentId: null, depositAddressId, depositId: id };
    const locked = await lockBook(tx, scope, key);
    const step = (status === 'BLOCKED' ? blockDeposit : creditDeposit)(locked.book, id);
    if (step === null) throw new Error('a deposit that was seen is booked');
    await takeBookStep(tx, scope, locked, step, at);
  });
  if (status === 'CREDITED' || status === 'BLOCKED') return id;
  await finaliseStandingDeposit(harness, id, payer);
  return id;
}

/** What is credited becomes final. */
export async function finaliseStandingDeposit(
  { database, clock, payer }: Pick<PaymentHarness, 'database' | 'clock' | 'payer'>,
  id: string,
  { scope }: Payer = payer,
): Promise<void> {
  const at = clock.now();
  await database.db.write(scope, async (tx) => {
    const row = await lockDeposit(tx, scope, id);
    if (row === null) throw new Error('there is no such deposit');
    const final = await moveDeposit(tx, scope, { ...row, status: 'FINAL' }, at);
    await recordEvent(tx, scope, depositEvent('deposit.final', final), at);
  });
}
