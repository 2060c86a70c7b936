import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAddress } from 'viem/utils';
import { ChainUnreadable } from '../../../src/domain/onchain/chain-nodes.ts';
import { result } from '../../support/onchain/lying-node.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';
import { usdcCall } from '../../support/onchain/usdc.ts';
import { AnswerLost, loseAnswers } from '../../support/lossy-database.ts';
import { createRandom } from '../../support/random.ts';
import { seedOf, sizeOf } from '../../support/campaign.ts';

const DEPOSITS = sizeOf(80, 2_000);
const REORGANISATIONS = DEPOSITS / 20;
const SEED = seedOf(7);
const STANDING = 100;
const WAITING = 20;
/** Deposits of a block at the most, and what one of a payment takes. */
const BLOCK_MAX = 12;
const DUE = 40_000_000n;
/** Blocks under the newest one that a reorganisation takes at the most: a final block never goes. */
const DEPTH_MAX = 5;

interface Sent {
  readonly hash: string;
  readonly raw: string;
  readonly sender: string;
}

let chain: ReaderHarness;
/** Answers of commits that were lost. */
let lostAnswers = 0;
const random = createRandom(SEED);
const below = (limit: number): number => Math.floor(random() * limit);

beforeAll(async () => {
  chain = await createReaderHarness();
  const { anvil, usdc } = chain;
  const [minter = '', ...others] = anvil.accounts;
  for (const other of others) {
    await anvil.sendAndMine({ from: minter, to: usdc, data: usdcCall('mint', other, 10n ** 13n) });
  }
}, 300_000);
afterAll(() => chain.close());

/** Transactions that both nodes leave out for as long as they lie: one of so many. */
const LEFT_OUT_ONE_OF = 20;
const leftOut = new Set<unknown>();
/** Makes a node leave out 15 of 100 transfers, and those. */
const omitSome = result((logs: readonly { readonly transactionHash: unknown }[]) =>
  logs.filter(({ transactionHash }) => !leftOut.has(transactionHash) && random() >= 0.15),
);
const nothing = result(() => null);

/** What each node does wrong during one poll cycle. */
function misbehave(): void {
  chain.pair.repent();
  for (const node of [chain.pair.one, chain.pair.other]) {
    node.lieAbout('eth_getLogs', omitSome);
    if (random() < 0.1) node.lieAbout('eth_getTransactionReceipt', nothing);
  }
}

/** One poll cycle whose commits' answers are lost now and then; the next one follows, as after a kill. */
async function look(): Promise<void> {
  const db = loseAnswers(chain.database.db, () => random() < 0.01);
  await chain.poll({ db }).catch((error: unknown) => {
    if (error instanceof AnswerLost) lostAnswers += 1;
    else if (!(error instanceof ChainUnreadable)) throw error;
  });
}

/** Takes the newest blocks away. Of each sender's transactions in them, the first ones are mined again. */
async function reorganise(blocks: readonly (readonly Sent[])[], depth: number): Promise<Sent[]> {
  const lost = blocks.slice(blocks.length - depth).flat();
  await chain.anvil.rpc('anvil_rollback', depth);
  await chain.anvil.rpc('anvil_dropAllTransactions');
  const dropped = new Set<string>();
  const again: Sent[] = [];
  for (const sent of lost) {
    if (random() < 0.2) dropped.add(sent.sender);
    if (dropped.has(sent.sender)) continue;
    await chain.anvil.rpc('eth_sendRawTransaction', sent.raw);
    again.push(sent);
  }
  return again;
}

/** Whether a deposit of these blocks is credited. */
async function isCreditedIn(blocks: readonly (readonly Sent[])[]): Promise<boolean> {
  const hashes = new Set(blocks.flat().map(({ hash }) => hash));
  const credited = await chain.rows<{ hash: string }>(
    `SELECT tx_hash AS hash FROM deposits WHERE status = 'CREDITED'`,
  );
  return credited.some(({ hash }) => hashes.has(hash));
}

/** Every transfer to an address of ours in the chain as it is: transaction, place, address and amount. */
async function transfersInChain(addresses: readonly string[]): Promise<string[]> {
  const ours = new Set(addresses);
  const logs = await chain.anvil.rpc<
    { transactionHash: string; topics: string[]; data: string; address: string }[]
  >('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', address: chain.usdc });
  return logs
    .filter(({ topics }) => topics.length === 3)
    .map(({ transactionHash, topics, data }) => {
      const to = getAddress(`0x${(topics[2] ?? '').slice(26)}`);
      return { to, text: `${transactionHash} ${to} ${BigInt(data).toString()}` };
    })
    .filter(({ to }) => ours.has(to))
    .map(({ text }) => text)
    .toSorted();
}

describe(`${String(DEPOSITS)} deposits under ${String(REORGANISATIONS)} reorganisations`, () => {
  it('are credited as the chain has them, none missing and none twice, whatever nodes leave out', async () => {
    const { anvil } = chain;
    const [, ...senders] = anvil.accounts;
    const addresses: string[] = [];
    for (let index = 0; index < STANDING; index += 1) addresses.push(await chain.addStanding());
    for (let index = 0; index < WAITING; index += 1) {
      addresses.push((await chain.addPayment(DUE)).address);
    }
    let sent = 0;
    let reorganised = 0;
    let blocks: Sent[][] = [];
    while (sent < DEPOSITS) {
      const block: Sent[] = [];
      for (const sender of senders.slice(0, 1 + below(senders.length))) {
        const to = addresses[below(addresses.length)] ?? '';
        const hash = await chain.send(to, BigInt(1 + below(30_000_000)), chain.usdc, sender);
        const raw = await anvil.rpc<string>('eth_getRawTransactionByHash', hash);
        block.push({ hash, raw, sender });
        if ((sent + block.length) % LEFT_OUT_ONE_OF === 0) leftOut.add(hash);
        if (block.length >= BLOCK_MAX) break;
      }
      sent += block.length;
      await anvil.mine();
      blocks = [...blocks, block].slice(-DEPTH_MAX);
      misbehave();
      await look();
      const isDue = reorganised < REORGANISATIONS * (sent / DEPOSITS);
      // The first one takes what was credited.
      const isTime = isDue && (reorganised > 0 || (await isCreditedIn(blocks)));
      if (isTime && blocks.length === DEPTH_MAX) {
        const depth = reorganised === 0 ? DEPTH_MAX : 1 + below(DEPTH_MAX);
        const again = await reorganise(blocks, depth);
        blocks = [];
        reorganised += 1;
        await anvil.mine();
        blocks.push(again);
        for (let more = 0; more < depth; more += 1) {
          await anvil.mine();
          blocks.push([]);
        }
        misbehave();
        await look();
      }
    }
    for (let more = 0; more < 10; more += 1) {
      await anvil.mine();
      misbehave();
      await look();
    }
    // What both left out is found by what is at the addresses.
    chain.pair.repent();
    chain.clock.advance(11 * 60_000);
    for (let turn = 0; turn < 12; turn += 1) await chain.poll();

    const rows = await chain.rows<{ text: string; status: string }>(
      `SELECT tx_hash || ' ' || to_address || ' ' || amount AS text, status FROM deposits
       WHERE status <> 'ORPHANED' ORDER BY 1`,
    );
    const truth = await transfersInChain(addresses);
    expect(rows.map(({ text }) => text).toSorted()).toEqual(truth);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['FINAL']));
    const [books] = await chain.rows<{ credited: bigint; came: bigint }>(
      `SELECT (SELECT -sum(amount)::bigint FROM ledger_entries e JOIN ledger_transactions t
           ON t.id = e.transaction_id WHERE t.deposit_id IS NOT NULL AND e.account = 'nostro:BASE')
         AS credited, (SELECT sum(amount)::bigint FROM deposits WHERE status = 'FINAL') AS came`,
    );
    expect(books?.credited).toBe(books?.came);
    const kinds = chain.alarms.map(({ kind }) => kind);
    expect(kinds).not.toContain('TOKENS_UNEXPLAINED');
    expect(kinds).not.toContain('FINAL_BLOCK_GONE');
    expect(kinds).not.toContain('DEPOSIT_SET_ASIDE');
    const orphaned = kinds.filter((kind) => kind === 'DEPOSIT_ORPHANED').length;
    const leftOutByBoth = kinds.filter((kind) => kind === 'DEPOSIT_LEFT_OUT').length;
    console.log(
      JSON.stringify({
        ...{ seed: SEED, sent, reorganised, lostAnswers, credited: rows.length },
        ...{ orphaned, leftOutByBoth },
      }),
    );
    // What it claims to have come through, it came through.
    expect(reorganised).toBeGreaterThanOrEqual(REORGANISATIONS);
    for (const came of [orphaned, leftOutByBoth, lostAnswers]) expect(came).toBeGreaterThan(0);
  }, 3_000_000);
});
