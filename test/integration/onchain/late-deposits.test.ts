import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { getAddress } from 'viem/utils';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { disableDepositAddress } from '../../../src/db/parties/deposit-address-store.ts';
import { checkBalances } from '../../../src/modules/onchain/deposits/check-balances.ts';
import { readChain } from '../../../src/modules/onchain/deposits/read-chain.ts';
import type { ReaderDeps } from '../../../src/modules/onchain/deposits/reader-deps.ts';
import type { TransferQuery } from '../../../src/domain/onchain/transfer-logs.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';
import { usdcCall } from '../../support/onchain/usdc.ts';

const DAY_MS = 25 * 3_600_000;
const LATE = 20;
/** As many as are counted in one call. */
const WATCHED = 5_000;

let chain: ReaderHarness;
beforeAll(async () => {
  chain = await createReaderHarness();
});
afterAll(() => chain.close());

/** Nodes whose lists `onAsked` hears of. */
const listing = (onAsked: (query: TransferQuery) => void): Pick<ReaderDeps, 'nodes'> => ({
  nodes: {
    ...chain.deps.nodes,
    async listTransfers(query) {
      onAsked(query);
      return chain.deps.nodes.listTransfers(query);
    },
  },
});

/** Sends minor units into the pool. */
const send = (to: string, amount: bigint, from = chain.anvil.accounts[0] ?? '') =>
  chain.anvil.send({ from, to: chain.usdc, data: usdcCall('transfer', to, amount) });

/** Addresses that are watched no more, to each of which a unit came since. */
async function addLate(): Promise<readonly string[]> {
  const { db } = chain.database;
  const late: string[] = [];
  for (let n = 0; n < LATE; n += 1) late.push(await chain.addStanding());
  await chain.poll();
  for (const address of late) {
    const [row] = await chain.rows<{ id: string }>(
      'SELECT id FROM deposit_addresses WHERE address = $1',
      [address],
    );
    await db.write(chain.customer.scope, (tx) =>
      disableDepositAddress(tx, chain.customer.scope, row?.id ?? '', chain.clock.now()),
    );
  }
  chain.clock.advance(DAY_MS);
  await chain.poll();
  for (const address of late) await send(address, 1_000_000n);
  await chain.anvil.mine(9);
  await readUpTo(chain.deps);
  return late;
}

/** The reader alone: the balances are counted in an activity of their own. */
async function readUpTo(deps: ReaderDeps): Promise<void> {
  for (let cycles = 0; cycles < 3; cycles += 1) await readChain(deps);
}

const stand = async (addresses: readonly string[]) =>
  (await Promise.all(addresses.map((address) => chain.deposits(address))))
    .flat()
    .map(({ status, amount }) => `${status} ${amount.toString()}`);

const finalBlock = async () =>
  (
    await chain.rows<{ block: bigint }>(
      `SELECT block_number AS block FROM chain_cursors WHERE kind = 'FINAL'`,
    )
  )[0]?.block ?? 0n;

it('the sweep of many old addresses keeps no other deposit waiting, and what came to them is credited', async () => {
  const late = await addLate();
  expect(await stand(late)).toEqual([]);
  const { anvil, deps } = chain;
  const honest = await chain.addStanding();
  const before = await finalBlock();
  for (const address of late) {
    await anvil.rpc('anvil_impersonateAccount', address);
    await anvil.rpc('anvil_setBalance', address, `0x${(10n ** 18n).toString(16)}`);
    await send(deps.settings.treasury, 1_000_000n, address);
  }
  await anvil.mine();
  await send(honest, 5_000_000n);
  await anvil.mine(9);

  const from: bigint[] = [];
  await readUpTo({ ...deps, ...listing((query) => from.push(query.from)) });
  expect(await stand([honest])).toEqual(['FINAL 5000000']);
  expect(from.filter((block) => block <= before)).toEqual([]);

  // It is their turn now, not a day later.
  await checkBalances(deps, true);
  await readUpTo(deps);
  expect(await stand(late)).toEqual(late.map(() => 'FINAL 1000000'));
  expect(chain.alarms.map(({ kind }) => kind)).not.toContain('TOKENS_UNEXPLAINED');
});

it('of many that differ the blocks are read once, and all are found', async () => {
  const late = await addLate();
  chain.clock.advance(DAY_MS);
  const asked: TransferQuery[] = [];
  await checkBalances({ ...chain.deps, ...listing((query) => asked.push(query)) }, true);
  const came = asked.filter(({ direction }) => direction === 'TO');
  expect(new Set(came.map(({ from }) => from)).size).toBe(came.length);
  await readUpTo(chain.deps);
  expect(await stand(late)).toEqual(late.map(() => 'FINAL 1000000'));
});

it('however many addresses are watched, those that nothing is expected at have their turn', async () => {
  const late = await addLate();
  chain.clock.advance(DAY_MS);
  const { scope } = chain.customer;
  const ids = Array.from({ length: WATCHED }, () => newId('da'));
  const addresses = ids.map(() => getAddress(`0x${randomBytes(20).toString('hex')}`));
  const at = new Date(chain.clock.now().getTime() - 3_600_000);
  const admin = new pg.Client({ connectionString: chain.database.url });
  await admin.connect();
  // Without the triggers that count them one by one.
  await admin.query('SET session_replication_role = replica');
  await admin.query(
    `INSERT INTO deposit_addresses (customer_id, environment, id, min_amount, address, created_at, updated_at)
     SELECT $1, $2, id, 0, address, $3, $3 FROM unnest($4::text[], $5::text[]) AS a (id, address)`,
    [scope.customerId, scope.environment, at, ids, addresses],
  );
  await admin.end();
  const nodes: ReaderDeps['nodes'] = {
    ...chain.deps.nodes,
    async tokenBalances(queries, block) {
      const ofLate = queries.filter(({ owner }) => late.includes(owner));
      const there = ofLate.length > 0 ? await chain.deps.nodes.tokenBalances(ofLate, block) : [];
      const byOwner = new Map(ofLate.map(({ owner }, place) => [owner, there[place] ?? 0n]));
      return queries.map(({ owner }) => byOwner.get(owner) ?? 0n);
    },
  };
  await checkBalances({ ...chain.deps, nodes }, true);
  expect(await stand(late)).toEqual(late.map(() => 'SEEN 1000000'));
});
