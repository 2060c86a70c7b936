import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAvailable } from '../../../src/db/ledger/balance-store.ts';
import type { ScopedTransaction } from '../../../src/db/client/database.ts';
import {
  disableDepositAddress,
  insertDepositAddress,
  lockDepositAddress,
} from '../../../src/db/parties/deposit-address-store.ts';
import { lockDeposit } from '../../../src/db/onchain/deposit-store.ts';
import { insertDeposit } from '../../support/insert-deposit.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import {
  creditDeposit,
  orphanDeposit,
  type BookStep,
  type FundingBook,
} from '../../../src/domain/onchain/deposits/funding-book.ts';
import { writeBookStep } from '../../../src/modules/ledger/write-book-step.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { seedPayingCustomer, type PayingCustomer } from '../../support/seed-payments.ts';

const AT = new Date('2026-03-01T11:00:00.000Z');
const hex = (bytes: number): string => `0x${randomBytes(bytes).toString('hex')}`;

let database: TestDatabase;
let customer: PayingCustomer;
beforeAll(async () => {
  database = await createTestDatabase();
  customer = await seedPayingCustomer(database.db);
});
afterAll(() => database.close());

const write = <Result>(act: (tx: ScopedTransaction) => Promise<Result>): Promise<Result> =>
  database.db.write(customer.scope, act);
const lock = (id: string) => write((tx) => lockDepositAddress(tx, customer.scope, id));

async function add(address = hex(20)) {
  const id = newId('da');
  const toBalance = { endUserId: null, bankAccountId: null, walletId: null };
  const added = { id, address, minAmount: 1_000_000n, ...toBalance };
  await write((tx) => insertDepositAddress(tx, customer.scope, added, AT));
  return added;
}

const see = (depositAddressId: string, to: string, amount: bigint) =>
  write(async (tx) => {
    const { row } = await insertDeposit(
      tx,
      customer.scope,
      {
        ...{ id: newId('dep'), network: 'POLYGON', txHash: hex(32), ordinal: 3, asset: 'USDT' },
        ...{ from: hex(20), to, amount, paymentId: null, depositAddressId },
        block: { number: 1n, hash: hex(32), at: AT },
      },
      AT,
    );
    return row;
  });

describe('a standing address', () => {
  it('is one owner’s, and is read as it was given', async () => {
    const given = await add();
    expect(await lock(given.id)).toMatchObject({ ...given, status: 'ACTIVE', version: 1 });
    await expect(add(given.address)).rejects.toMatchObject({ code: '23505' });
  });

  it('is disabled once, and for ever', async () => {
    const { id } = await add();
    const disable = () => write((tx) => disableDepositAddress(tx, customer.scope, id, AT));
    await disable();
    expect(await lock(id)).toMatchObject({ status: 'DISABLED', version: 2 });
    await expect(disable()).rejects.toMatchObject({ code: '23514' });
    const enable = write((tx) =>
      tx.query(`UPDATE deposit_addresses SET status = 'ACTIVE', version = 3 WHERE id = $1`, [id]),
    );
    await expect(enable).rejects.toMatchObject({ code: '23514' });
  });

  it('still takes what is sent to it when it is disabled: a sender cannot be stopped', async () => {
    const { id, address } = await add();
    await write((tx) => disableDepositAddress(tx, customer.scope, id, AT));
    const deposit = await see(id, address, 5n);
    expect(deposit).toMatchObject({ depositAddressId: id, status: 'SEEN', applied: null });
  });

  it('brings what comes to the balance, and what the network takes back out of it, once each', async () => {
    const { id: addressId, address, minAmount } = await add();
    const { id } = await see(addressId, address, 2_000_000n);
    const take = (step: (book: FundingBook, of: string) => BookStep | null) =>
      write(async (tx) => {
        const deposit = await lockDeposit(tx, customer.scope, id);
        if (deposit === null) throw new Error('the deposit is gone');
        const taken = step({ funding: { status: null, minAmount }, deposits: [deposit] }, id);
        if (taken !== null) await writeBookStep(tx, customer.scope, null, taken, AT);
        return taken !== null;
      });
    const available = async () =>
      (await write((tx) => readAvailable(tx, customer.scope, ['USDT']))).get('USDT');
    expect([await take(creditDeposit), await take(creditDeposit)]).toEqual([true, false]);
    expect(await available()).toBe(2_000_000n);
    expect([await take(orphanDeposit), await take(orphanDeposit)]).toEqual([true, false]);
    expect(await available()).toBe(0n);
  });

  it('is not seen by other scopes', async () => {
    const { id } = await add();
    const live = { ...customer.scope, environment: 'live' } as const;
    const seen = await database.db.write(live, (tx) => lockDepositAddress(tx, live, id));
    expect(seen).toBeNull();
  });
});
