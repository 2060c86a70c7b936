import { createHash, randomBytes } from 'node:crypto';
import type { PayoutConnector } from '../../src/domain/payments/connector.ts';
import { createHttpBank } from '../../src/adapters/http-bank/http-bank.ts';
import { recordEvent } from '../../src/db/webhooks/event-store.ts';
import { newId } from '../../src/db/client/new-id.ts';
import {
  insertWallet,
  lockWallet,
  moveWallet,
  writeWalletScreening,
  type WalletRow,
} from '../../src/db/parties/wallet-store.ts';
import type { ListedNetwork } from '../../src/domain/onchain/network-setup.ts';
import { isNetwork, type Network } from '../../src/domain/onchain/network.ts';
import { usualDepths } from '../../src/domain/onchain/usual-depths.ts';
import type { TransferReport } from '../../src/domain/payments/transfer-report.ts';
import type { HttpDeps } from '../../src/api/deps.ts';
import { fundBalance } from '../../src/modules/ledger/fund-balance.ts';
import { disableWallet as disable } from '../../src/modules/parties/wallets/disable-wallet.ts';
import { walletEvent } from '../../src/modules/parties/wallets/wallet-view.ts';
import type { PaymentHarness, Payer } from './payment-harness.ts';

const listed = (network: Network, assets: readonly string[], chainId: number): ListedNetwork => ({
  ...{ network, chainId, status: 'ACTIVE', own: [] },
  factory: '0x4000000000000000000000000000000000000001',
  assets: assets.map((asset, index) => ({
    ...{ asset, min: 1_000_000n, max: 50_000_000_000n },
    contract: `0x${String(index + 1).repeat(40)}`,
  })),
  depths: usualDepths('test', network),
});

/** BASE pays USDC and EURC, from 1 to 50,000 units; ETHEREUM pays USDT. */
export const NETWORKS = {
  test: [listed('BASE', ['USDC', 'EURC'], 84532), listed('ETHEREUM', ['USDT'], 11155111)],
  live: [],
};

const BANK = createHttpBank({ baseUrl: 'http://127.0.0.1:9', name: 'http-bank' });

/** Writes orders as a bank does, and those to wallets as plain JSON. */
export const ENCODERS: HttpDeps['encoderFor'] = (_environment, rail) => (order) =>
  isNetwork(rail) ? Buffer.from(JSON.stringify(order)) : BANK.encode(order);

export interface WalletOverrides {
  readonly payer?: Payer;
  /** Null: the customer's own. */
  readonly endUserId?: string | null;
  readonly network?: Network;
  readonly status?: WalletRow['status'];
  readonly address?: string;
  readonly ownership?: WalletRow['ownership'];
}

/** A wallet of the harness's end-user on BASE, ACTIVE unless told otherwise, at a made-up address. */
export async function addWallet(
  { database, clock, payer: own }: PaymentHarness,
  overrides: WalletOverrides = {},
): Promise<WalletRow> {
  const { payer = own, network = 'BASE', status = 'ACTIVE' } = overrides;
  const { scope } = payer;
  const { endUserId = payer.endUserId } = overrides;
  const at = clock.now();
  return database.db.write(scope, async (tx) => {
    const id = newId('wal');
    const { address = `0x${randomBytes(20).toString('hex')}`, ownership = 'SELF_HOSTED' } =
      overrides;
    const kept = { ownership, vasp: ownership === 'HOSTED' ? Buffer.from('sealed') : null };
    const proofNonce = randomBytes(16).toString('hex');
    const wallet = { id, endUserId, network, address, ...kept, proofNonce, at };
    const made = await insertWallet(tx, scope, wallet);
    if (made === null) throw new Error('there is such a wallet');
    await recordEvent(tx, scope, walletEvent('wallet.created', made), at);
    await writeWalletScreening(tx, scope, id, {
      ...{ verdict: 'CLEAR', list: 'sample', reason: 'REGISTRATION', at },
      ...{ match: null, reviewId: null },
    });
    if (status === 'PENDING') return made;
    const active = await moveWallet(tx, scope, made, { status: 'ACTIVE' }, at);
    await recordEvent(tx, scope, walletEvent('wallet.activated', active), at);
    if (status === 'ACTIVE') return active;
    const moved = await moveWallet(tx, scope, active, { status }, at);
    const type = status === 'DISABLED' ? 'wallet.disabled' : 'wallet.rejected';
    await recordEvent(tx, scope, walletEvent(type, moved), at);
    return moved;
  });
}

/** Takes the ownership of a wallet for proved, as its signature would. */
export async function proveWallet(
  { database, clock, payer: { scope } }: PaymentHarness,
  id: string,
): Promise<void> {
  await database.db.write(scope, async (tx) => {
    const wallet = await lockWallet(tx, scope, id);
    if (wallet === null) throw new Error('there is no such wallet');
    const at = clock.now();
    const proved = await moveWallet(tx, scope, wallet, { provedAt: at }, at);
    await recordEvent(tx, scope, walletEvent('wallet.verified', proved), at);
  });
}

/** Takes a wallet out of use. */
export async function disableWallet(
  { database, clock, payer }: PaymentHarness,
  id: string,
): Promise<void> {
  const anyVersion = (): void => undefined;
  await database.db.write(payer.scope, (tx) => disable({ clock }, tx, payer.scope, id, anyVersion));
}

/** Credits the harness's customer with tokens; minor units. */
export async function fundAsset(
  { database, clock, payer: { scope } }: PaymentHarness,
  asset: string,
  amount: bigint,
): Promise<void> {
  const funding = { currency: asset, amount, rail: 'BASE' };
  await database.db.write(scope, (tx) => fundBalance(tx, scope, funding, clock.now()));
}

/** A body of POST /payments: 25 USDC to a wallet unless told otherwise. */
export const toWallet = (
  { payer }: PaymentHarness,
  walletId: string,
  overrides: object = {},
): Record<string, unknown> => ({
  ...{ endUserId: payer.endUserId, walletId, amount: '25.00', asset: 'USDC' },
  ...overrides,
});

/** What a chain would say of the transfer of a reference: the hash is made of it. */
export const hashOf = (reference: string): string =>
  `0x${createHash('sha256').update(reference).digest('hex')}`;

export interface ScriptedChain extends PayoutConnector {
  /** The orders that were handed over, as they were written. */
  readonly orders: Map<string, string>;
  /** What it says of every transfer, when it is sent and when it is asked. */
  word: Partial<TransferReport> & Pick<TransferReport, 'status'>;
}

/** The rail of BASE, or of every bank, as a test wants it: it says one word of every transfer. */
export function createScriptedChain(rails: 'ALL' | readonly string[] = ['BASE']): ScriptedChain {
  const orders = new Map<string, string>();
  const report = (reference: string) => ({
    kind: 'REPORT' as const,
    report: {
      ...{ bankReference: hashOf(reference), reason: null, returnedAmount: null, at: null },
      ...chain.word,
    },
  });
  const chain: ScriptedChain = {
    ...{
      orders,
      word: { status: 'ACCEPTED' },
      name: rails === 'ALL' ? 'scripted-bank' : 'scripted-chain',
    },
    capabilities: { rails },
    encode: (order) => Buffer.from(JSON.stringify(order)),
    submit: async ({ reference, encodedTransfer }) => {
      orders.set(reference, Buffer.from(encodedTransfer).toString());
      return report(reference);
    },
    ask: async (reference) => (orders.has(reference) ? report(reference) : { kind: 'NEVER_SEEN' }),
  };
  return chain;
}
