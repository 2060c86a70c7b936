import { randomBytes } from 'node:crypto';
import { encodeEventTopics, getAddress, parseAbi, toHex } from 'viem';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import { voidTransfer } from '../../../src/modules/onchain/void-transfer.ts';
import { connectToVerify } from '../../../src/cli/verify/reader.ts';
import { verify } from '../../../src/cli/verify/verify.ts';
import { openAttackedRamp, type AttackedRamp } from '../../support/onchain/attacked-ramp.ts';
import { PAYER_FUNDS, type SentPayment } from '../../support/onchain/chain-payer.ts';
import { KILL_POINTS, type KillOrder } from '../../support/onchain/chain-process.ts';
import { createRandom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { seedOf, sizeOf } from '../../support/campaign.ts';

const PAYMENTS = sizeOf(100, 1_000);
const REORGS = PAYMENTS / 20;
const REORG_DEPTH_MAX = 5;
/** So often is a process killed at each point. */
const KILLS_A_POINT = Math.ceil(PAYMENTS / 125);
const TURNS_MAX = 12;
const PATIENCE_MS = 900_000;

/** What a payment meets, by its cents at the sandbox or by whom it goes to; how many of 100 it meets. */
const FATES = [
  { share: 3, cents: 1, end: ['FAILED'] },
  { share: 2, cents: 2, end: ['COMPLETED'] },
  { share: 5, cents: 3, end: ['COMPLETED'] },
  { share: 3, cents: 4, end: ['COMPLETED'] },
  { share: 3, cents: 5, end: ['FAILED'], isVoided: true },
  { share: 2, cents: 7, end: ['COMPLETED'] },
  { share: 2, cents: 0, end: ['FAILED'], isFrozen: true },
  // Whichever comes first, the transfer or the void.
  { share: 2, cents: 0, end: ['COMPLETED', 'FAILED'], isVoided: true },
  { share: 78, cents: 0, end: ['COMPLETED'] },
] as const;
type Fate = {
  readonly cents: number;
  readonly end: readonly string[];
  readonly isVoided?: boolean;
  readonly isFrozen?: boolean;
};
const HUNDRED: readonly Fate[] = FATES.flatMap((fate) =>
  Array.from({ length: fate.share }, () => fate),
);

interface Paid extends SentPayment {
  readonly fate: Fate;
}

const seed = seedOf(1);
const random = createRandom(seed);
const pick = (count: number): number => Math.floor(random() * count);

const kills: KillOrder[] = Array.from({ length: KILLS_A_POINT }, () =>
  KILL_POINTS.map((point) => ({ point, turn: 1 + pick(TURNS_MAX) })),
).flat();

let ramp: AttackedRamp;
beforeAll(async () => {
  ramp = await openAttackedRamp(() => kills.shift() ?? null);
});
afterAll(() => ramp.close());

async function payAll(paid: Paid[]): Promise<void> {
  const order = Array.from({ length: PAYMENTS }, (_none, n) => HUNDRED[n % HUNDRED.length]!);
  for (let left = order.length; left > 0; left -= 1) {
    const [fate] = order.splice(pick(left), 1);
    if (fate === undefined) throw new Error('there is no fate left');
    const amount = BigInt(5 + paid.length) * 1_000_000n + BigInt(fate.cents) * 10_000n;
    const ending = fate.isFrozen === true ? 'bad3' : '0001';
    const to = getAddress(`0x${randomBytes(18).toString('hex')}${ending}`);
    paid.push({ ...(await ramp.payer.send(amount, to)), fate });
  }
}

/** Gives up what is on its way and should be. */
async function voidCarried(paid: readonly Paid[], voided: Set<string>): Promise<void> {
  const wanted = paid.filter(({ fate, reference }) => fate.isVoided && !voided.has(reference));
  if (wanted.length === 0) return;
  const carried = await ramp.database.db.system((tx) =>
    tx.query<{ reference: string; state: string }>(
      `SELECT reference, state FROM chain_transfers
       WHERE reference = ANY ($1) AND state <> 'WAITING'`,
      [wanted.map(({ reference }) => reference)],
    ),
  );
  for (const { reference, state } of carried) {
    if ((await voidTransfer(ramp.deps, reference)) || state !== 'CARRIED') voided.add(reference);
  }
}

/** So long does a node lie at least, in looks of the attacker. */
const LIE_POLLS = 10;

/**
 * Makes one node or the other lie for a while, now and then, by looks: where a node lies nothing may be sent,
 * and then no block follows. One that gives no answer does so until a process has met it: the next one may
 * just be starting.
 */
function createLies(): () => void {
  const { faults } = ramp.network;
  let looks = 0;
  let lies = 0;
  let next = 20;
  let metBefore = 0;
  return () => {
    looks += 1;
    if (looks < next) return;
    const [lie] = faults.list();
    if (lie === undefined) {
      faults.order({ provider: pick(2) === 0 ? 'a' : 'b', kind: lies % 2 === 0 ? 'drop' : 'lag' });
      lies += 1;
      next = looks + LIE_POLLS;
      metBefore = ramp.unreadable();
    } else if (lie.kind === 'lag' || ramp.unreadable() > metBefore) {
      faults.clear();
      next = looks + 40 + pick(80);
    }
  };
}

/** Nodes that lie, blocks that are replaced, operators who give up, until nothing is on its way. */
async function attack(paid: readonly Paid[], isAllSent: () => boolean): Promise<number> {
  const { network, process } = ramp;
  const voided = new Set<string>();
  let reorgs = 0;
  let nextReorg = 0;
  const lieNowAndThen = createLies();
  await until(
    () => `${String(reorgs)} reorganisations, ${JSON.stringify([...process.kills])}`,
    async () => {
      const problem = process.problem();
      if (problem !== null) throw new Error(problem);
      if (isAllSent() && !(await ramp.isUnderWay())) return true;
      const head = Number(await ramp.ask<string | null>('eth_blockNumber'));
      if (reorgs < REORGS && head >= nextReorg) {
        await network.reorganise(1 + pick(REORG_DEPTH_MAX));
        reorgs += 1;
        nextReorg = head + 4 + pick(8);
      }
      lieNowAndThen();
      await voidCarried(paid, voided);
      return null;
    },
    PATIENCE_MS,
  ).finally(() => network.faults.clear());
  return reorgs;
}

const TRANSFER = parseAbi(['event Transfer(address indexed, address indexed, uint256)']);

/** Minor units that our signer accounts moved, by recipient in lower case: one number a transfer. */
async function movedOnChain(): Promise<Map<string, bigint[]>> {
  const { hotAddresses } = ramp.setup;
  const [topic] = encodeEventTopics({ abi: TRANSFER });
  const words = hotAddresses.map(
    (address) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`,
  );
  const range = { fromBlock: toHex(0), toBlock: 'latest' };
  const filter = { ...range, topics: [topic, words] };
  const logs = await ramp.ask<{ topics: string[]; data: string }[]>('eth_getLogs', filter);
  const moved = new Map<string, bigint[]>();
  for (const { topics, data } of logs) {
    const to = `0x${(topics[2] ?? '').slice(-40)}`;
    moved.set(to, [...(moved.get(to) ?? []), BigInt(data)]);
  }
  return moved;
}

async function stands(): Promise<Map<string, { status: string; finality: string }>> {
  const rows = await ramp.database.db.system((tx) =>
    tx.query<{ id: string; status: string; finality: string }>(
      'SELECT id, status, finality FROM payments',
    ),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function judge(): Promise<Record<string, string>> {
  const connection = await connectToVerify(ramp.database.url);
  try {
    const verdicts = await verify({
      ...{ connection, clientLog: null, isWorkflowOpen: null, startGraceSeconds: 0 },
      chains: { test: [ramp.setup], live: [] },
    });
    return Object.fromEntries(
      verdicts.flatMap((verdict) => {
        if (verdict.status === 'skipped') return [];
        const found = verdict.status === 'held' ? 'held' : JSON.stringify(verdict.samples);
        return [[verdict.id, found]];
      }),
    );
  } finally {
    await connection.close();
  }
}

it(
  `${String(PAYMENTS)} payments to wallets are paid once each or never, whatever chain, nodes, process and operators do`,
  async () => {
    onTestFailed(() => console.log(`seed ${String(seed)}`));
    const paid: Paid[] = [];
    let isAllSent = false;
    const [reorgs] = await Promise.all([
      attack(paid, () => isAllSent),
      payAll(paid).then(() => {
        isAllSent = true;
      }),
    ]);
    for (const { id } of paid) await ramp.apply(id);

    const moved = await movedOnChain();
    const known = await stands();
    let owed = 0n;
    for (const { id, order, fate } of paid) {
      const { status = '', finality } = known.get(id) ?? {};
      expect(fate.end, `${id} ${JSON.stringify(fate)}`).toContain(status);
      const isPaid = status === 'COMPLETED';
      if (isPaid) expect(finality, id).toBe('FINAL');
      if (isPaid) owed += order.amount;
      expect(moved.get(order.to.toLowerCase()) ?? [], id).toEqual(isPaid ? [order.amount] : []);
    }
    expect([...moved.values()].flat().reduce((sum, one) => sum + one, 0n)).toBe(owed);
    const balances = await ramp.database.db.system((tx) =>
      tx.query<{ available: bigint; reserved: bigint }>(
        `SELECT available, reserved FROM balances WHERE currency = 'USDC'`,
      ),
    );
    expect(balances).toEqual([{ available: PAYER_FUNDS - owed, reserved: 0n }]);
    const signerAccounts = await ramp.database.db.system((tx) =>
      tx.query<{ address: string; next: bigint }>(
        'SELECT address, next_nonce AS next FROM chain_signer_accounts',
      ),
    );
    for (const { address, next } of signerAccounts) {
      const onChain = await ramp.ask<string>('eth_getTransactionCount', address, 'latest');
      expect(BigInt(onChain), address).toBe(next);
    }
    // Not I8: no event tells of what a test puts there by itself.
    const held = ['I4', 'I5', 'I6', 'I7', 'I15', 'I18', 'I19', 'I20', 'I22', 'FX'];
    expect(await judge()).toMatchObject(Object.fromEntries(held.map((id) => [id, 'held'])));
    // The attack was one.
    expect(reorgs).toBe(REORGS);
    expect(Object.fromEntries(ramp.process.kills)).toEqual(
      Object.fromEntries(KILL_POINTS.map((point) => [point, KILLS_A_POINT])),
    );
    expect(ramp.unreadable()).toBeGreaterThan(0);
    expect(
      [...ramp.alarms].filter((kind) => kind !== 'REORGANISED' && kind !== 'REVERTED'),
    ).toEqual([]);
  },
  // The waits within have their own messages.
  PATIENCE_MS + 120_000,
);
