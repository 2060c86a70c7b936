import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { bytesToHex, getAddress } from 'viem/utils';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NOT_FINAL_MAX } from '../../../../src/domain/onchain/nonce-slots.ts';
import { voidTransfer } from '../../../../src/modules/onchain/void-transfer.ts';
import { insertDepositAddress } from '../../../../src/db/parties/deposit-address-store.ts';
import { newId } from '../../../../src/db/client/new-id.ts';
import type { NetworkSetup } from '../../../../src/domain/onchain/network-setup.ts';
import { encodeTransferCall, referenceMark } from '../../../../src/domain/onchain/transfer-call.ts';
import { withLockedPayment } from '../../../../src/modules/payments/lock-payment.ts';
import { readOver, type VerifyConnection } from '../../../../src/cli/verify/reader.ts';
import { UnusableInput } from '../../../../src/cli/verify/unusable-input.ts';
import { verifyChains } from '../../../../src/cli/verify/verify-chains.ts';
import {
  createSignerHarness,
  DEPTHS,
  type SignerHarness,
  type SentPayment,
} from '../../../support/onchain/signer-harness.ts';
import { startLyingNode } from '../../../support/onchain/lying-node.ts';
import { deployUsdc, mintUsdc, usdcCall } from '../../../support/onchain/usdc.ts';

let harness: SignerHarness;
/** An address of ours that is no signer account, with 1,000 USDC. */
let treasury: string;
/** Completed for good, given back, completed in a block that is not final, and one that still waits. */
let paid: SentPayment;
let failed: SentPayment;
let young: SentPayment;
let waiting: SentPayment;
/** As superuser; where tests share the harness, in a transaction of which nothing stays. */
let client: pg.Client;

async function openHarness(): Promise<void> {
  harness = await createSignerHarness();
  treasury = harness.anvil.accounts[5]!;
  await mintUsdc(harness.anvil, harness.usdc, treasury, 1_000_000_000n);
  paid = await harness.send();
  await harness.poll();
  await harness.mineAndPoll(8);
  failed = await harness.send();
  await voidTransfer(harness.deps, failed.reference);
  young = await harness.send();
  await harness.poll();
  await harness.mineAndPoll(5);
  // The workflow that is woken applies what was reported.
  const { deps, customer } = harness;
  for (const { id } of [failed, young]) {
    await withLockedPayment(deps, customer.scope, id, async () => undefined);
  }
  waiting = await harness.send();
  client = new pg.Client({ connectionString: harness.database.url });
  await client.connect();
}
async function closeHarness(): Promise<void> {
  await client.end();
  await harness.close();
}

function setupOf(changes: Partial<NetworkSetup> = {}): NetworkSetup {
  const { anvil, usdc, signerAccount } = harness;
  const other = getAddress(`0x${'fac0'.repeat(10)}`);
  return {
    ...{ network: 'BASE', chainId: anvil.chainId, status: 'ACTIVE', genesis: null },
    rpcUrls: [anvil.url, anvil.url],
    assets: [{ asset: 'USDC', contract: usdc, min: 1n, max: 1_000_000_000n }],
    depths: DEPTHS,
    ...{
      hotAddresses: [signerAccount],
      factory: other,
      treasury,
      own: [signerAccount, other, treasury],
    },
    gasCaps: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
    notFinalMax: NOT_FINAL_MAX,
    depositFloors: {},
    sweeps: null,
    hot: [],
    ...changes,
  };
}

async function judge(test: readonly NetworkSetup[] = [setupOf()]) {
  const connection = readOver(client);
  // It looks within the transaction, where there is one.
  const within: VerifyConnection = { ...connection, snapshot: (work) => work(connection) };
  return verifyChains(within, { test, live: [] });
}

async function violated(setup?: NetworkSetup): Promise<string[]> {
  const verdicts = await judge(setup && [setup]);
  return verdicts.filter(({ status }) => status === 'violated').map(({ id }) => id);
}

/** Sent as that address, not by the books; then nothing of it is young any more. */
async function sendAs(from: string, to: string, data: string): Promise<void> {
  const { anvil } = harness;
  await anvil.rpc('anvil_impersonateAccount', from);
  const { status } = await anvil.sendAndMine({ from, to, data });
  expect(status).toBe('0x1');
  await anvil.mine(7);
}

const payAgain = (
  from: string,
  { reference, order }: SentPayment,
  changes: Partial<{ to: string; amount: bigint; contract: string }> = {},
): Promise<void> => {
  const { to, amount, contract } = { ...order, ...changes };
  const data = encodeTransferCall({ to, amount, mark: referenceMark(reference) });
  return sendAs(from, contract, bytesToHex(data));
};

/** With triggers off. */
const plant = (sql: string) => client.query(`SET LOCAL session_replication_role = replica; ${sql}`);

const stranger = (): string => getAddress(`0x${randomBytes(20).toString('hex')}`);

describe('verify --chain while payments move on', () => {
  beforeEach(openHarness);
  afterEach(closeHarness);

  it('finds nothing where payments are final, given back, young, waiting, and sent without having heard of it', async () => {
    expect(await harness.payment(paid.id)).toMatchObject({ finality: 'FINAL' });
    expect(await harness.payment(failed.id)).toMatchObject({ status: 'FAILED' });
    expect(await harness.payment(young.id)).toMatchObject({ status: 'COMPLETED' });
    expect(await judge()).toMatchObject([
      { id: 'I19', status: 'held', checked: 4 },
      { id: 'I20', status: 'held', checked: 1 },
      { id: 'I21', status: 'held', checked: 0 },
      { id: 'I22', status: 'held', checked: 1 },
    ]);
    await harness.poll();
    await harness.anvil.mine(8);
    expect(await harness.payment(waiting.id)).toMatchObject({ status: 'SENT' });
    expect(await violated()).toEqual([]);
    await harness.mineAndPoll(8);
    expect(await judge()).toMatchObject([
      { id: 'I19', status: 'held', checked: 4 },
      { id: 'I20', status: 'held', checked: 3 },
      { id: 'I21', status: 'held', checked: 0 },
      { id: 'I22', status: 'held', checked: 3 },
    ]);
  });

  it('holds what a reorganisation took back against no book while it is that exception, any other it finds', async () => {
    const { anvil, deps, customer } = harness;
    await anvil.rpc('anvil_rollback', 5);
    const unsent = { nodes: { ...deps.nodes, broadcast: () => Promise.resolve() } };
    for (let mined = 0; mined < 12; mined += 1) {
      await anvil.mine();
      await harness.poll(unsent);
    }
    await withLockedPayment(deps, customer.scope, young.id, async () => undefined);
    expect(await harness.payment(young.id)).toMatchObject({ reconciliation: 'EXCEPTION' });
    expect(await violated()).toEqual([]);
    const evidence = (kind: string) =>
      plant(`UPDATE payments SET reconciliation_evidence = reconciliation_evidence
        || '{"kind": "${kind}"}' WHERE id = '${young.id}'`);
    await evidence('CONTRADICTION');
    expect(await violated()).toEqual(['I19', 'I20']);
    await evidence('CHAIN_REORGANISED');
    expect(await violated()).toEqual([]);
    await plant(`UPDATE chain_transfers SET state = 'FINAL' WHERE payment_id = '${young.id}'`);
    expect(await violated()).toEqual(['I19', 'I20']);
  });
});

describe('verify --chain of one state of books and chain', () => {
  let snapshot: string;
  beforeAll(openHarness);
  afterAll(closeHarness);
  beforeEach(async () => {
    snapshot = await harness.anvil.rpc('evm_snapshot');
    await client.query('BEGIN');
  });
  afterEach(async () => {
    await client.query('ROLLBACK');
    await harness.anvil.rpc('evm_revert', snapshot);
  });

  it('knows where a payment went whose wallet was erased since, and still finds it paid to another', async () => {
    await plant(`UPDATE wallets w SET address = 'erased-' || w.id, vasp = NULL FROM payments p
      WHERE p.wallet_id = w.id AND p.id IN ('${paid.id}', '${waiting.id}')`);
    const { rows: addresses } = await client.query<{ address: string }>(
      `SELECT w.address FROM wallets w JOIN payments p ON p.wallet_id = w.id WHERE p.id = '${paid.id}'`,
    );
    expect(addresses).toEqual([{ address: expect.stringMatching(/^erased-wal_/) }]);
    expect(await violated()).toEqual([]);
    await payAgain(treasury, waiting, { to: stranger() });
    expect(await violated()).toEqual(['I19']);
  });

  it('holds what leaves an address of deposits for the treasury against no book, anything else it finds', async () => {
    const { anvil, usdc, clock, customer, database } = harness;
    const address = anvil.accounts[6]!;
    const owner = { endUserId: null, bankAccountId: null, walletId: null };
    const standing = { id: newId('da'), ...owner, minAmount: 0n, address };
    await database.db.write(customer.scope, (tx) =>
      insertDepositAddress(tx, customer.scope, standing, clock.now()),
    );
    await mintUsdc(anvil, usdc, address, 10n);
    await sendAs(address, usdc, usdcCall('transfer', treasury, 4n));
    expect(await violated()).toEqual([]);
    await sendAs(address, usdc, usdcCall('transfer', stranger(), 6n));
    expect(await violated()).toEqual(['I20']);
  });

  const cases: readonly [what: string, ids: readonly string[], plant: () => Promise<unknown>][] = [
    [
      'paid twice by its signer account',
      ['I19', 'I20', 'I22'],
      () => payAgain(harness.signerAccount, paid),
    ],
    ['paid once more by the treasury', ['I19', 'I20'], () => payAgain(treasury, paid)],
    ['paid although FAILED', ['I19', 'I20'], () => payAgain(treasury, failed)],
    [
      'paid in another amount',
      ['I19'],
      () => payAgain(treasury, waiting, { amount: waiting.order.amount + 1n }),
    ],
    ['paid to another address', ['I19'], () => payAgain(treasury, waiting, { to: stranger() })],
    [
      'completed for good although nothing moved',
      ['I19'],
      () =>
        plant(
          `UPDATE settlement_attempts SET reference = 'CWNONE' WHERE payment_id = '${paid.id}'`,
        ),
    ],
    [
      'tokens that left for no payment',
      ['I20'],
      () => sendAs(treasury, harness.usdc, usdcCall('transfer', stranger(), 1n)),
    ],
    [
      'a book that says a unit more than left',
      ['I20'],
      () =>
        plant(`UPDATE ledger_entries e SET amount = amount + 1 FROM ledger_transactions t
          WHERE t.id = e.transaction_id AND t.payment_id = '${paid.id}' AND t.kind = 'SETTLE'
            AND e.account = 'nostro:BASE'`),
    ],
    [
      'a foreign transaction of a signer account',
      ['I22'],
      () => sendAs(harness.signerAccount, stranger(), '0x'),
    ],
    [
      'a gap among the nonces of a signer account',
      ['I22'],
      () => plant('DELETE FROM chain_nonces WHERE nonce = 0'),
    ],
    [
      'a nonce whose transaction was not stored',
      ['I22'],
      () => plant(`UPDATE chain_transactions SET hash = '0x${'ab'.repeat(32)}' WHERE nonce = 0`),
    ],
  ];
  it.each(cases)('finds: %s', async (_what, ids, breach) => {
    await breach();
    expect(await violated()).toEqual(ids);
  });

  it('finds a payment in another token than it says', async () => {
    const contract = await deployUsdc(harness.anvil, 'EURC');
    await mintUsdc(harness.anvil, contract, treasury, 1_000_000_000n);
    await payAgain(treasury, waiting, { contract });
    const [usdc] = setupOf().assets;
    const assets = [usdc!, { ...usdc!, asset: 'EURC', contract }];
    expect(await violated(setupOf({ assets }))).toEqual(['I19']);
  });

  it('names the payment, the transaction and what is wrong', async () => {
    await payAgain(treasury, waiting, { amount: 7n });
    const [moved] = await judge();
    const to = waiting.order.to.toLowerCase();
    expect(moved).toMatchObject({
      violations: 1,
      samples: [
        {
          subject: waiting.id,
          problem: expect.stringMatching(
            new RegExp(
              `^0x[0-9a-f]{64} moved 7 USDC to ${to}, the payment is 5000000 USDC to ${to}$`,
            ),
          ),
        },
      ],
    });
  });

  it('says nothing where the providers tell different things, or another chain, or no file names it', async () => {
    const liar = await startLyingNode(harness.anvil.url);
    const pair = setupOf({ rpcUrls: [harness.anvil.url, liar.url] });
    try {
      expect(await violated(pair)).toEqual([]);
      liar.lieAbout('eth_getLogs', ({ jsonrpc, id }) => ({ jsonrpc, id, result: [] }));
      await expect(judge([pair])).rejects.toThrow(/do not agree about blocks/);
    } finally {
      await liar.close();
    }
    await expect(judge([pair])).rejects.toThrow('provider 2 of BASE does not answer');
    await expect(judge([setupOf({ chainId: 1 })])).rejects.toThrow(/serve another chain/);
    await expect(judge([])).rejects.toThrow(UnusableInput);
  });

  it('asks for fewer blocks at a time where a node refuses', async () => {
    const narrow = await startLyingNode(harness.anvil.url);
    narrow.lieAbout('eth_getLogs', (honest, { params }) => {
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      return Number(toBlock) - Number(fromBlock) < 3
        ? honest
        : { jsonrpc: honest.jsonrpc, id: honest.id, error: { code: -32005, message: 'made up' } };
    });
    try {
      await payAgain(treasury, paid);
      expect(await violated(setupOf({ rpcUrls: [narrow.url, harness.anvil.url] }))).toEqual([
        'I19',
        'I20',
      ]);
    } finally {
      await narrow.close();
    }
  });
});
