import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { NOT_FINAL_MAX } from '../../../src/domain/onchain/nonce-slots.ts';
import { proposeForeign } from '../../../src/modules/onchain/foreign-nonce.ts';
import { openSignerAccount } from '../../../src/db/onchain/signer-account-store.ts';
import { voidTransfer } from '../../../src/modules/onchain/void-transfer.ts';
import type { NetworkSetup } from '../../../src/domain/onchain/network-setup.ts';
import { encodeTransferCall, referenceMark } from '../../../src/domain/onchain/transfer-call.ts';
import { laterReferences } from '../../../src/domain/payments/reference.ts';
import { paidOnceOnChain } from '../../../src/cli/verify/paid-once-on-chain.ts';
import { connectToVerify } from '../../../src/cli/verify/reader.ts';
import { verifyChains } from '../../../src/cli/verify/verify-chains.ts';
import {
  lost,
  sendForeign,
  unmarked,
  untilOpen,
} from '../../support/onchain/foreign-transaction.ts';
import {
  createSignerHarness,
  DEPTHS,
  PLACE,
  type SignerHarness,
  type SentPayment,
} from '../../support/onchain/signer-harness.ts';
import { change } from '../../support/onchain/lying-node.ts';
import { openLyingPair } from '../../support/onchain/lying-pair.ts';
import { comeBack, thawUntilOpen } from '../../support/onchain/restored-signer-account.ts';
import { sayForeignPayment, thawSignerAccount } from '../../support/onchain/thaw-signer-account.ts';
import { withSuperuser } from '../../support/onchain/sweep-parts.ts';
import { mintUsdc } from '../../support/onchain/usdc.ts';

let harness: SignerHarness;
let shared: SignerHarness;
let startOver: () => Promise<void>;
beforeAll(async () => {
  shared = await createSignerHarness();
  startOver = await shared.keepStart();
});
beforeEach(async () => {
  harness = shared;
  await startOver();
});
afterEach(async () => {
  if (harness !== shared) await harness.close();
});
afterAll(() => shared.close());

/** Of payments that a chain does not know any more verify would say so: the test has a database without any. */
async function takeNewDatabase(): Promise<void> {
  harness = await createSignerHarness();
}

/**
 * A payment whose nonce was used by what the signer account's key signed behind our back; the signer account is frozen
 * by then.
 */
async function overtaken(
  call: (sent: SentPayment) => Parameters<typeof sendForeign>[2],
): Promise<SentPayment & { readonly hash: string }> {
  const sent = await harness.send();
  await harness.poll(lost(harness));
  const hash = await sendForeign(harness, 0n, call(sent));
  await harness.anvil.mine();
  await harness.poll();
  await harness.poll();
  expect(await signerAccounts()).toEqual([{ status: 'FROZEN', why: 'FOREIGN_TRANSACTION' }]);
  return { ...sent, hash };
}

const exactly = ({ order }: SentPayment) => unmarked(harness, order.to, order.amount);

const signerAccounts = () =>
  harness.rows<{ status: string; why: string | null }>(
    'SELECT status, why FROM chain_signer_accounts',
  );

const transferOf = async ({ reference }: SentPayment) =>
  (
    await harness.rows<{ state: string }>(
      'SELECT state FROM chain_transfers WHERE reference = $1',
      [reference],
    )
  )[0]?.state;

function setupOf({ anvil, usdc, signerAccount, deps }: SignerHarness): NetworkSetup {
  const { factory, treasury } = deps.settings;
  return {
    ...{
      chainId: anvil.chainId,
      genesis: null,
      notFinalMax: NOT_FINAL_MAX,
      depositFloors: {},
      sweeps: null,
      hot: [],
      factory,
      treasury,
    },
    ...{ rpcUrls: [anvil.url, anvil.url], depths: DEPTHS, hotAddresses: [signerAccount] },
    network: PLACE.network,
    status: 'ACTIVE',
    assets: [{ asset: 'USDC', contract: usdc, min: 1n, max: 1_000_000_000n }],
    own: [signerAccount, factory, treasury],
    gasCaps: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
  };
}

/** What does not hold, of the four rules about chains. */
async function violated(): Promise<string[]> {
  const connection = await connectToVerify(harness.database.url);
  try {
    const verdicts = await verifyChains(connection, { test: [setupOf(harness)], live: [] });
    return verdicts.filter(({ status }) => status === 'violated').map(({ id }) => id);
  } finally {
    await connection.close();
  }
}

/** How often I19 does not hold, of a transaction that moved these amounts to the payment's wallet. */
async function violationsOf(
  { hash, order }: SentPayment & { readonly hash: string },
  ...amounts: readonly bigint[]
): Promise<number> {
  const connection = await connectToVerify(harness.database.url);
  const { signerAccount, usdc } = harness;
  const move = {
    ...{ hash, block: 1n, contract: usdc.toLowerCase(), from: signerAccount.toLowerCase() },
    ...{ to: order.to.toLowerCase(), mark: null },
  };
  const unasked = () => Promise.reject(new Error('the chain is not asked'));
  const reader = {
    ...{ heights: unasked, listMoves: unasked, findMined: unasked },
    ...{ nonceAt: unasked, findTransfers: unasked },
  };
  try {
    const { violations } = await paidOnceOnChain(connection, {
      chain: { environment: PLACE.environment, setup: setupOf(harness), reader },
      ...{ own: [], senders: [], final: 1n },
      moves: amounts.map((amount) => ({ ...move, amount })),
    });
    return violations;
  } finally {
    await connection.close();
  }
}

it('a payment that another transaction paid is final with its hash, once it is final, and is never paid again', async () => {
  await takeNewDatabase();
  const sent = await overtaken(exactly);
  expect(await sayForeignPayment(harness, sent.id, 'PAID', sent.hash)).toContain(sent.hash);
  await harness.poll();
  expect(await transferOf(sent)).toBe('CARRIED');
  expect(await violated()).toEqual([]);
  await harness.makeFinal();
  expect(await harness.payment(sent.id)).toEqual({
    ...{ status: 'COMPLETED', fundsStatus: 'DELIVERED', finality: 'FINAL' },
    reconciliation: 'RECONCILED',
  });
  const [row] = await harness.rows<{ hashes: string }>(
    `SELECT refs::text AS hashes FROM payments WHERE id = '${sent.id}'`,
  );
  expect(row?.hashes).toContain(sent.hash);
  const { amount } = sent.order;
  expect(await violationsOf(sent, amount)).toBe(0);
  expect(await violationsOf(sent, amount - 1n, 1n)).toBe(0);
  expect(await violationsOf(sent, amount, amount)).toBe(1);
  await thawSignerAccount(harness);
  await untilOpen(harness);
  const next = await harness.send();
  await harness.poll();
  await harness.makeFinal();
  expect(await harness.payment(next.id)).toMatchObject({ finality: 'FINAL' });
  expect(await harness.balance(sent.order.to)).toBe(sent.order.amount);
  expect(await violated()).toEqual([]);
  await expect(sayForeignPayment(harness, sent.id, 'PAID', sent.hash)).rejects.toThrow(
    'NO_PAYMENT',
  );
});

it('what moved another amount does not pay, whatever is said; once they say so the payment goes on', async () => {
  const sent = await overtaken(({ order }) => unmarked(harness, order.to, order.amount - 1n));
  await sayForeignPayment(harness, sent.id, 'PAID', sent.hash);
  await harness.makeFinal();
  expect(harness.alarms).toContainEqual({
    ...{ kind: 'DID_NOT_PAY', paymentId: sent.id, hash: sent.hash },
  });
  expect(await transferOf(sent)).toBe('CARRIED');
  await sayForeignPayment(harness, sent.id, 'NOT_PAID', sent.hash);
  await harness.poll();
  expect(await transferOf(sent)).toBe('WAITING');
  await thawSignerAccount(harness);
  await untilOpen(harness);
  await harness.makeFinal();
  expect(await harness.payment(sent.id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
  expect(await harness.balance(sent.order.to)).toBe(sent.order.amount * 2n - 1n);
});

it('a payment that was paid exactly is not sent again, though they say that it was not paid', async () => {
  const sent = await overtaken(exactly);
  await sayForeignPayment(harness, sent.id, 'NOT_PAID', sent.hash);
  await harness.makeFinal();
  expect(harness.alarms).toContainEqual({ kind: 'PAID_OTHERWISE', paymentId: sent.id });
  expect(await transferOf(sent)).toBe('CARRIED');
  await sayForeignPayment(harness, sent.id, 'PAID', sent.hash);
  await harness.poll();
  expect(await transferOf(sent)).toBe('FINAL');
  expect(await harness.balance(sent.order.to)).toBe(sent.order.amount);
});

it('what carries the mark of another payment is not taken for this one', async () => {
  const sent = await overtaken(({ order: { to, amount } }) => ({
    to: harness.usdc,
    data: encodeTransferCall({ to, amount, mark: referenceMark('ANOTHER01') }),
  }));
  await sayForeignPayment(harness, sent.id, 'PAID', sent.hash);
  await harness.makeFinal();
  expect(harness.alarms.map(({ kind }) => kind)).toContain('DID_NOT_PAY');
  expect(await transferOf(sent)).toBe('CARRIED');
});

it('a later attempt that was paid before a restore is the payment, once two operators have said so', async () => {
  await takeNewDatabase();
  await harness.send();
  await harness.poll();
  await harness.makeFinal();
  const restore = await harness.database.keepCopy();
  const lostOne = await harness.send();
  const { id, reference, order } = lostOne;
  const [later = ''] = laterReferences(reference, 1);
  const data = encodeTransferCall({ ...order, mark: referenceMark(later) });
  const hash = await sendForeign(harness, 1n, { to: harness.usdc, data });
  await harness.anvil.mine(8);
  await comeBack(harness, restore);
  await harness.send(order.amount, order.to, id);
  await harness.poll();
  await thawUntilOpen(harness);
  await harness.pollAfter(2);
  expect(harness.alarms).toContainEqual({ kind: 'PAID_OTHERWISE', paymentId: id });
  expect(await voidTransfer(harness.deps, reference)).toBe(false);
  await expect(sayForeignPayment(harness, id, 'NOT_PAID', hash)).rejects.toThrow('NO_PAYMENT');
  // Said of another payment that waits it would be used up, and of no use.
  const other = await harness.send();
  await expect(sayForeignPayment(harness, other.id, 'PAID', hash)).rejects.toThrow('NO_PAYMENT');
  // The same address has the same nonce on another network, which did not pay it.
  const { clock, database, deps, signerAccount } = harness;
  const elsewhere = { environment: 'test', network: 'ETHEREUM', address: signerAccount } as const;
  await deps.db.system((tx) => openSignerAccount(tx, elsewhere, 0n, clock.now()));
  const said = proposeForeign(
    { db: database.people, clock, corridors: deps.corridors },
    { ...elsewhere, nonce: 1n },
    { outcome: 'PAID', hash, payment: id },
    { operator: 'ada', reason: 'looked at the chain' },
  );
  expect(await said).toBe('NO_PAYMENT');
  // The network has no nodes here.
  await withSuperuser(database.url, (superuser) =>
    superuser.query(`SET session_replication_role = replica;
      DELETE FROM chain_signer_accounts WHERE network = 'ETHEREUM'`),
  );
  await sayForeignPayment(harness, id, 'PAID', hash);
  await harness.mineAndPoll(3);
  expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
  expect(await harness.balance(order.to)).toBe(order.amount);
  expect(await violated()).toEqual([]);
});

it('where one of two providers tells another receipt, nothing is believed of it', async () => {
  const sent = await overtaken(exactly);
  await sayForeignPayment(harness, sent.id, 'PAID', sent.hash);
  await harness.anvil.mine(8);
  const pair = await openLyingPair(harness.anvil.url);
  try {
    pair.one.lieAbout('eth_getTransactionReceipt', change({ logs: [] }));
    await expect(harness.poll({ nodes: pair.nodes })).rejects.toMatchObject({
      name: 'ChainUnreadable',
    });
    expect(await transferOf(sent)).toBe('CARRIED');
    pair.repent();
    await harness.poll({ nodes: pair.nodes });
    expect(await transferOf(sent)).toBe('FINAL');
  } finally {
    await pair.close();
  }
});

it('is said by two operators alone, of the nonce that carries the payment, and of one hash', async () => {
  const sent = await overtaken(exactly);
  const other = await harness.send();
  const insert = `INSERT INTO chain_foreign_payments (environment, network, address, nonce, hash, outcome,
      reference, approval_id, created_at) VALUES ($1, $2, $3, 0, $4, 'PAID', $5, 'apr_none', now())`;
  const { environment, network } = PLACE;
  const people = harness.database.people;
  for (const reference of [sent.reference, other.reference]) {
    const values = [environment, network, harness.signerAccount, sent.hash, reference];
    await expect(people.system((tx) => tx.query(insert, values))).rejects.toThrow('two operators');
    await expect(harness.deps.db.system((tx) => tx.query(insert, values))).rejects.toThrow(
      'permission denied',
    );
  }
  const end = `UPDATE chain_nonces SET state = 'SETTLED', mined_hash = $1`;
  await expect(harness.deps.db.system((tx) => tx.query(end, [sent.hash]))).rejects.toThrow(
    'none of its transactions',
  );
  await expect(sayForeignPayment(harness, other.id, 'PAID', sent.hash)).rejects.toThrow(
    'NO_PAYMENT',
  );
});

it('what was sent by hand for another sum is final for a large amount before the payment goes on', async () => {
  await mintUsdc(harness.anvil, harness.usdc, harness.signerAccount, 100_000_000_000n);
  const sent = await harness.send(10_000_000_001n);
  await harness.poll(lost(harness));
  const hash = await sendForeign(harness, 0n, unmarked(harness, sent.order.to, 1n));
  await harness.anvil.mine(8);
  await harness.poll();
  await sayForeignPayment(harness, sent.id, 'NOT_PAID', hash);
  const { nodes } = harness.deps;
  const heads = async () => {
    const all = await nodes.heads();
    return { ...all, creditAbove: { ...all.creditAbove, number: 0n } };
  };
  const overtakenOne = () =>
    harness.rows('SELECT state, mined_hash AS hash FROM chain_nonces WHERE nonce = 0');
  await harness.poll({ nodes: { ...nodes, heads } });
  expect(await overtakenOne()).toEqual([{ state: 'OPEN', hash: null }]);
  await harness.poll();
  expect(await overtakenOne()).toEqual([{ state: 'REJECTED', hash }]);
});
