import { randomBytes } from 'node:crypto';
import { getAddress } from 'viem/utils';
import { takeChainTransfer } from '../../../src/db/onchain/chain-transfer-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import {
  insertWallet,
  moveWallet,
  writeWalletScreening,
} from '../../../src/db/parties/wallet-store.ts';
import { encodeChainOrder, type ChainOrder } from '../../../src/domain/onchain/chain-order.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { ChainPlace } from '../../../src/domain/onchain/network.ts';
import { fundBalance } from '../../../src/modules/ledger/fund-balance.ts';
import type { TestDatabase } from '../database.ts';
import { seedPayingCustomer, type PayingCustomer } from '../seed-payments.ts';

export const PLACE = { environment: 'test', network: 'BASE' } as const;

/** What the customer has at first, in minor units of the token. */
export const PAYER_FUNDS = 10_000_000_000_000n;

/** The token that is paid in, and its contract in EIP-55's case. */
export interface PaidToken {
  readonly asset: 'USDC' | 'USDT';
  readonly contract: string;
}

/** A payment over the chain that was sent to the rail, and its order. */
export interface SentPayment {
  readonly id: string;
  readonly reference: string;
  readonly order: ChainOrder;
}

export interface ChainPayer {
  readonly customer: PayingCustomer;
  /**
   * A payment whose order the rail has taken, to a fresh address unless told. Minor units. With the id of one
   * that was lost in a restore, it is its request again.
   */
  send(amount?: bigint, to?: string, id?: string): Promise<SentPayment>;
  /** The same as far as its acceptance: nothing of it was handed to the rail. */
  accept(amount: bigint, to: string, id: string): Promise<string>;
}

/** A customer with money in the token, who pays in it over the network of a place of test. */
export async function createChainPayer(
  database: Pick<TestDatabase, 'db'>,
  clock: Clock,
  { asset, contract }: PaidToken,
  { network }: Pick<ChainPlace, 'network'> = PLACE,
): Promise<ChainPayer> {
  const customer = await seedPayingCustomer(database.db);
  const { scope } = customer;
  const funds = { currency: asset, amount: PAYER_FUNDS, rail: network };
  await database.db.write(scope, (tx) => fundBalance(tx, scope, funds, clock.now()));
  /** The customer's own wallet at the address, cleared and ACTIVE as each is that is paid. */
  async function giveWallet(address: string): Promise<string> {
    const id = newId('wal');
    const proofNonce = randomBytes(16).toString('hex');
    const wallet = {
      ...{ id, endUserId: null, network, address },
      ownership: 'SELF_HOSTED',
      ...{ vasp: null, proofNonce, at: clock.now() },
    } as const;
    const verdict = { verdict: 'CLEAR', list: 'sample', match: null, reviewId: null } as const;
    await database.db.write(scope, async (tx) => {
      const made = await insertWallet(tx, scope, wallet);
      if (made === null) throw new Error('the wallet was there already');
      const screening = { ...verdict, reason: 'RELEASE', at: clock.now() } as const;
      await writeWalletScreening(tx, scope, id, screening);
      await moveWallet(tx, scope, made, { status: 'ACTIVE' }, clock.now());
    });
    return id;
  }

  return {
    customer,
    async send(amount = 5_000_000n, to = getAddress(`0x${randomBytes(20).toString('hex')}`), id) {
      const walletId = await giveWallet(to);
      const again = id === undefined ? {} : { id };
      const over = { rail: network, currency: asset, amount, walletId, ...again } as const;
      const paid = await customer.pay({ fate: 'ACCEPTED', at: clock.now(), ...over });
      const { reference } = paid;
      const order = { reference, network, asset, contract, to, amount };
      const body = encodeChainOrder(order);
      const taken = await takeChainTransfer(database.db, 'test', order, body, clock.now());
      if (taken !== 'TAKEN') throw new Error(`the order was answered ${taken}`);
      return { ...paid, order };
    },
    async accept(amount, to, id) {
      const walletId = await giveWallet(to);
      const over = { rail: network, currency: asset, amount, walletId, id } as const;
      return (await customer.pay({ fate: 'READY', at: clock.now(), ...over })).id;
    },
  };
}
