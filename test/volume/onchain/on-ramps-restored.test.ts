import { afterEach, beforeEach, expect, it } from 'vitest';
import { voidTransfer } from '../../../src/modules/onchain/void-transfer.ts';
import { pollKilledAt, type KilledWhen } from '../../support/onchain/killed-poll.ts';
import {
  createSignerHarness,
  type SignerHarness,
  type SentPayment,
} from '../../support/onchain/signer-harness.ts';
import {
  comeBack,
  expectPaidOnce,
  readSignerAccount,
  thawUntilOpen,
} from '../../support/onchain/restored-signer-account.ts';

const PAYMENTS = 100;
const WAVE = 10;
const SIGNER_FUNDS = 1_000_000_000n;

let harness: SignerHarness;
beforeEach(async () => {
  harness = await createSignerHarness();
});
afterEach(() => harness.close());

/** The client repeats a request with the same key. */
const repeat = ({ id, order: { amount, to } }: SentPayment): Promise<SentPayment> =>
  harness.send(amount, to, id);

/** Every signed transaction that the database holds now. */
const signed = async (): Promise<Buffer[]> => {
  const rows = await harness.rows<{ raw: Buffer }>(
    'SELECT raw FROM chain_transactions WHERE raw IS NOT NULL ORDER BY nonce, number',
  );
  return rows.map(({ raw }) => raw);
};

it('a database restored from before 100 payments pays none of them twice, whatever was on its way', async () => {
  const { deps } = harness;
  const before = [await harness.send(), await harness.send()];
  await harness.poll();
  await harness.mineAndPoll(8);
  const waiting = await harness.send();
  const restore = await harness.database.keepCopy();

  const lost: SentPayment[] = [];
  for (let wave = 0; lost.length < PAYMENTS; wave += 1) {
    const sent: SentPayment[] = [];
    for (let n = 0; n < WAVE; n += 1)
      sent.push(await harness.send(BigInt(1_000_000 + lost.length + n)));
    lost.push(...sent);
    // The last wave is signed, and no node has heard of it.
    const isLast = lost.length === PAYMENTS;
    const nodes = { ...deps.nodes, broadcast: async () => undefined };
    await harness.poll(isLast ? { nodes } : {});
    if (isLast) break;
    // Given up before the restore, before or after it was sent.
    if (wave % 3 === 1) await voidTransfer(deps, sent[0]!.reference);
    // Some are final, some young, when the next ones come.
    await harness.mineAndPoll(wave % 2 === 0 ? 8 : 3);
  }
  const raws = await signed();

  await comeBack(harness, restore);
  await harness.poll();
  expect(await readSignerAccount(harness)).toMatchObject({ status: 'FROZEN', why: 'RESTORED' });
  for (const sent of lost.filter((_one, n) => n % 2 === 0)) await repeat(sent);
  let kills = 0;
  const pollAndCount = async (effect: number, when: KilledWhen) => {
    if (!(await pollKilledAt(harness, effect, when))) kills += 1;
  };
  // A node sends on what was signed before the restore, and processes are killed, while the signer account adopts.
  await thawUntilOpen(harness, async (look) => {
    await pollAndCount(1 + ((look * 7) % 10), look % 2 === 0 ? 'BEFORE' : 'AFTER');
    const late = raws.at(-1 - look);
    if (late !== undefined && look % 3 === 0) await deps.nodes.broadcast([late]);
  });
  for (const sent of lost.filter((_one, n) => n % 2 === 1)) await repeat(sent);
  for (let look = 0; look < 12; look += 1) {
    await pollAndCount(1 + ((look * 7) % 10), look % 2 === 0 ? 'AFTER' : 'BEFORE');
    await deps.nodes.broadcast(raws);
    await harness.mineAndPoll(8);
  }
  expect(kills).toBeGreaterThan(10);

  const all = [...before, waiting, ...lost];
  await expectPaidOnce(harness, all);
  const owed = all.reduce((sum, { order }) => sum + order.amount, 0n);
  expect(await harness.balance(harness.signerAccount)).toBe(SIGNER_FUNDS - owed);
  expect(harness.alarms.filter(({ kind }) => kind === 'PAID_OTHERWISE')).toEqual([]);
}, 600_000);
