import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { pollKilledAfter } from '../../support/onchain/killed-poll.ts';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';

let harness: SignerHarness;
beforeAll(async () => {
  harness = await createSignerHarness();
});
afterAll(() => harness.close());

it('a process killed after any step of a send pays once', async () => {
  let isOver = false;
  let effects = 0;
  for (let effect = 1; !isOver; effect += 1) {
    const { id, order } = await harness.send();
    isOver = await pollKilledAfter(harness, effect);
    effects = effect;
    // Killed again after the same step of whatever is left to do.
    await pollKilledAfter(harness, effect);
    await harness.poll();
    await harness.makeFinal();
    expect(await harness.balance(order.to)).toBe(order.amount);
    expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
  }
  // A nonce is taken, signed, stored and sent at least: the process was killed after each.
  expect(effects).toBeGreaterThan(4);
  expect(harness.alarms).toEqual([]);
});

it('a process killed after any step of an outcome tells it, once', async () => {
  // That it is mined is told by one poll cycle, that it is final by the next.
  const twice: SignerHarness['poll'] = async (overrides) => {
    await harness.poll(overrides);
    return harness.poll(overrides);
  };
  let isOver = false;
  let effects = 0;
  for (let effect = 1; !isOver; effect += 1) {
    const { id, order } = await harness.send();
    await harness.poll();
    await harness.anvil.mine(7);
    isOver = await pollKilledAfter({ deps: harness.deps, poll: twice }, effect);
    effects = effect;
    await harness.poll();
    await harness.poll();
    expect(await harness.poll()).toEqual({ kind: 'IDLE' });
    expect(await harness.balance(order.to)).toBe(order.amount);
    expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
  }
  expect(effects).toBeGreaterThan(4);
});

it('two processes that poll at once sign one transfer each, and pay once', async () => {
  const sent = await Promise.all([harness.send(), harness.send(), harness.send()]);
  await Promise.all([harness.poll(), harness.poll(), harness.poll()]);
  await harness.makeFinal();
  for (const { order } of sent) expect(await harness.balance(order.to)).toBe(order.amount);
  const [counted] = await harness.rows<{ count: bigint }>(
    'SELECT count(*) FROM chain_nonces WHERE reference = ANY ($1)',
    [sent.map(({ reference }) => reference)],
  );
  expect(counted?.count).toBe(3n);
});

it('what is sent and not answered for keeps its nonce, is signed once, and is sent again as it is', async () => {
  const { order, reference } = await harness.send();
  const { deps } = harness;
  const raws: string[] = [];
  let signatures = 0;
  const overrides: Partial<ChainDeps> = {
    nodes: {
      ...deps.nodes,
      async broadcast(sent) {
        raws.push(...sent.map((raw) => Buffer.from(raw).toString('hex')));
        await deps.nodes.broadcast(sent);
      },
    },
    signerOf(address) {
      const signer = deps.signerOf(address);
      return (
        signer && {
          address,
          sign(unsigned) {
            signatures += 1;
            return signer.sign(unsigned);
          },
        }
      );
    },
  };
  for (let look = 0; look < 3; look += 1) await harness.poll(overrides);
  const used = await harness.rows('SELECT FROM chain_nonces WHERE reference = $1', [reference]);
  expect(used).toHaveLength(1);
  expect([signatures, raws.length, new Set(raws).size]).toEqual([1, 3, 1]);
  await harness.makeFinal();
  expect(await harness.balance(order.to)).toBe(order.amount);
});
