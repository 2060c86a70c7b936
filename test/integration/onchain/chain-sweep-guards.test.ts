import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertNonce, type NonceKey } from '../../../src/db/onchain/chain-nonce-store.ts';
import {
  lockSignerAccount,
  openSignerAccount,
  takeNonce,
} from '../../../src/db/onchain/signer-account-store.ts';
import {
  forgetUnswept,
  insertSweep,
  isSweepDue,
  readUnswept,
  type NewSweep,
} from '../../../src/db/onchain/chain-sweep-store.ts';
import type { Database, SystemTransaction } from '../../../src/db/client/database.ts';
import { stopChain } from '../../../src/db/onchain/chain-stop-store.ts';
import {
  holdDepositForReview,
  moveDeposit,
  type DepositRow,
} from '../../../src/db/onchain/deposit-store.ts';
import { blockDeposit } from '../../../src/domain/onchain/deposits/funding-book.ts';
import { openAsChain } from '../../support/onchain/signer-harness.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addWaitingPayment, AT, hex, type WaitingPayment } from '../../support/deposit-harness.ts';

const PLACE = { environment: 'test', network: 'BASE' } as const;
const SIGNER_ACCOUNT = { ...PLACE, address: '0x3000000000000000000000000000000000000001' };
const TOKEN = '0x2000000000000000000000000000000000000001';
const refused = { code: '23514' };

let database: TestDatabase;
let chain: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  chain = openAsChain(database.url);
  await chain.system((tx) => openSignerAccount(tx, SIGNER_ACCOUNT, 0n, AT));
});
afterEach(async () => {
  await chain.close();
  await database.close();
});

const sweepOf = (address: string): NewSweep => ({
  ...{ asset: 'USDC', token: TOKEN },
  addresses: [{ address, salt: hex(32), amount: 5n }],
});

async function nextNonce(tx: SystemTransaction): Promise<NonceKey> {
  const signerAccount = await lockSignerAccount(tx, SIGNER_ACCOUNT);
  if (signerAccount === null) throw new Error('there is no signer account');
  const key = { ...SIGNER_ACCOUNT, nonce: await takeNonce(tx, signerAccount, AT) };
  await insertNonce(tx, key, AT);
  return key;
}

const plan = (sweep: NewSweep) =>
  chain.system(async (tx) => {
    const key = await nextNonce(tx);
    await insertSweep(tx, key, sweep, AT);
    return key;
  });

describe('of sweeps the database refuses', () => {
  it('an address in two that are under way', async () => {
    const address = hex(20);
    await plan(sweepOf(address));
    await expect(plan(sweepOf(address))).rejects.toMatchObject({ code: '23505' });
    await plan(sweepOf(hex(20)));
  });

  it('a fifth one of a signer account: payments keep the other nonces', async () => {
    for (let made = 0; made < 4; made += 1) await plan(sweepOf(hex(20)));
    await expect(plan(sweepOf(hex(20)))).rejects.toMatchObject(refused);
  });

  it('an end that its nonce has not, another address, a transfer in its place', async () => {
    const key = await plan(sweepOf(hex(20)));
    const as = (sql: string) => chain.system((tx) => tx.query(sql, []));
    await expect(as(`UPDATE chain_sweeps SET state = 'FINAL'`)).rejects.toMatchObject(refused);
    const open = `UPDATE chain_sweep_addresses SET is_open = false`;
    await expect(as(open)).rejects.toMatchObject(refused);
    const made = `INSERT INTO chain_transactions (environment, network, address, nonce, number, kind,
      unsigned, max_fee_per_gas, max_priority_fee_per_gas, gas, created_at)
      VALUES ('test', 'BASE', '${SIGNER_ACCOUNT.address}', ${String(key.nonce)}, 0, 'TRANSFER', '', 1, 1, 1, now())`;
    await expect(as(made)).rejects.toMatchObject(refused);
    await expect(as('DELETE FROM chain_sweeps')).rejects.toBeDefined();
  });
});

describe('what is to be swept', () => {
  let waiting: WaitingPayment;
  const unswept = (final = 7n) => {
    const query = { asset: 'USDC', now: AT, final, limit: 10 };
    return chain.system((tx) => readUnswept(tx, PLACE, query));
  };
  const isDue = () => chain.system((tx) => isSweepDue(tx, PLACE, AT));

  /** A deposit that is credited, and final unless told. */
  async function come(amount: bigint, isFinal = true): Promise<DepositRow> {
    const { id } = await waiting.see({ amount });
    await waiting.credit({ id });
    const credited = (await waiting.deposits()).find((one) => one.id === id);
    if (credited === undefined) throw new Error('it is gone');
    const final = { ...credited, status: 'FINAL' } as const;
    if (isFinal) await waiting.write((tx) => moveDeposit(tx, waiting.scope, final, AT));
    return credited;
  }

  beforeEach(async () => {
    waiting = await addWaitingPayment(database.db);
  });

  it('is listed once a deposit is final, and only as of its block', async () => {
    await come(40_000_000n, false);
    expect(await isDue()).toBe(false);
    const { to: address } = await come(40_000_000n);
    expect(await isDue()).toBe(true);
    expect(await unswept(6n)).toEqual([]);
    expect(await unswept()).toEqual([
      { asset: 'USDC', address, ownerId: waiting.paymentId, version: 1, isLeft: false },
    ]);
  });

  it('is not forgotten where another deposit came since it was looked at', async () => {
    await come(40_000_000n);
    const [row] = await unswept();
    if (row === undefined) throw new Error('nothing is listed');
    await come(50_000_000n);
    await chain.system((tx) => forgetUnswept(tx, PLACE, row));
    expect(await unswept()).toEqual([{ ...row, version: 2 }]);
    await chain.system((tx) => forgetUnswept(tx, PLACE, { ...row, version: 2 }));
    expect(await isDue()).toBe(false);
  });

  it('is left alone while as much as 10 units lie there that are blocked or that an operator has to judge', async () => {
    await come(40_000_000n);
    const held = await waiting.see({ amount: 10_000_000n });
    await waiting.write((tx) => holdDepositForReview(tx, waiting.scope, held.id, AT));
    expect(await isDue()).toBe(false);
    expect(await unswept()).toEqual([]);
    await waiting.take((book) => blockDeposit(book, held.id));
    expect(await isDue()).toBe(false);
  });

  it('is left alone while the network is stopped', async () => {
    await come(40_000_000n);
    const final = { number: 7n, hash: hex(32) };
    await database.db.system((tx) => stopChain(tx, PLACE, final, AT));
    expect(await isDue()).toBe(false);
  });
});
