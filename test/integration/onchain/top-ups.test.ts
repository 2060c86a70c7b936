import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { freezeSignerAccountByHand } from '../../../src/modules/onchain/thaw-signer-account.ts';
import { pollChain } from '../../../src/modules/onchain/poll-chain.ts';
import { createChainNodes } from '../../../src/adapters/evm/chain-nodes.ts';
import { sumSignedSince } from '../../../src/db/onchain/chain-nonce-store.ts';
import { ChainUnreadable } from '../../../src/domain/onchain/chain-nodes.ts';
import { SigningRefused } from '../../../src/domain/onchain/signer.ts';
import { GAS_COIN } from '../../../src/domain/onchain/signing-policy.ts';
import {
  createSignerHarness,
  DEPTHS,
  PLACE,
  type SignerHarness,
} from '../../support/onchain/signer-harness.ts';
import { result, startLyingNode } from '../../support/onchain/lying-node.ts';
import { addSecondSignerAccount } from '../../support/onchain/second-signer-account.ts';
import { thawSignerAccount } from '../../support/onchain/thaw-signer-account.ts';
import {
  addTopUps,
  COIN,
  FLOOR,
  TARGET,
  type ToppedUp,
} from '../../support/onchain/top-up-parts.ts';
import { mintUsdc } from '../../support/onchain/usdc.ts';

const HOUR_MS = 3_600_000;
const THOUSAND = 1_000_000_000n;

let harness: SignerHarness;
let chain: ToppedUp;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(async () => {
  await startOver();
  chain = addTopUps(harness);
});
afterAll(() => harness.close());

/** More than any signer account has: it waits for as long as the test lasts, and the chain is looked at. */
const keepBusy = () => harness.send(100n * THOUSAND);

const states = async () => (await chain.topUps()).map(({ state }) => state);

/** Nodes that take what they are sent and tell no one. */
const lost = (): Partial<ChainDeps> => ({
  nodes: { ...chain.deps.nodes, broadcast: async () => undefined },
});

const freezeShort = () =>
  freezeSignerAccountByHand(
    { db: harness.database.people, clock: harness.clock },
    { ...PLACE, address: chain.short },
    { operator: 'ada', reason: 'its key was copied' },
  );

describe('a signer account that is short of gas', () => {
  it('is topped up to its target, once, and then pays what only it can pay', async () => {
    await mintUsdc(harness.anvil, harness.usdc, chain.short, 3n * THOUSAND);
    const { id, order } = await harness.send(2n * THOUSAND);
    await chain.poll();
    expect(await states()).toEqual(['OPEN']);
    await harness.anvil.mine();
    expect(await chain.coins(chain.short)).toBe(TARGET);
    await chain.makeFinal();
    await chain.makeFinal();
    expect(await harness.balance(order.to)).toBe(2n * THOUSAND);
    expect(await harness.payment(id)).toMatchObject({ finality: 'FINAL' });
    expect(await chain.topUps()).toEqual([
      { state: 'FINAL', recipient: chain.short, amount: TARGET.toString() },
    ]);
    // What a signer is told after a restart, of the coin as of a token.
    const signed = (asset: string): Promise<bigint> => {
      const since = new Date(harness.clock.now().getTime() - HOUR_MS);
      const except = { address: chain.short, nonce: 999n };
      return harness.deps.db.system((tx) => sumSignedSince(tx, PLACE, { asset, since, except }));
    };
    expect(await signed(GAS_COIN)).toBe(TARGET);
    expect(await signed('USDC')).toBe(2n * THOUSAND);
    harness.clock.advance(HOUR_MS);
    expect(await signed(GAS_COIN)).toBe(0n);
    expect(await signed('USDC')).toBe(0n);
  });

  it('gets no second one while the first is on its way, whichever process looks, however it is delayed', async () => {
    await keepBusy();
    harness.clock.advance(60_000);
    const looks = [1, 2, 3].map(() => pollChain({ ...chain.deps, ...lost() }));
    await Promise.all(looks);
    await harness.anvil.mine(3);
    await chain.mineAndPoll(2, lost());
    expect(await states()).toEqual(['OPEN']);
    await chain.mineAndPoll(4);
    // What was believed is taken back, and the same bytes are sent again.
    await harness.anvil.rpc('anvil_reorg', 4, []);
    await chain.poll();
    await chain.makeFinal();
    expect(await states()).toEqual(['FINAL']);
    expect(await chain.coins(chain.short)).toBe(TARGET);
  });

  it('gets no second one by blocks before the first, where nodes lag behind what they said', async () => {
    await keepBusy();
    const heads = await chain.deps.nodes.heads();
    await chain.poll();
    await chain.makeFinal();
    expect(await states()).toEqual(['FINAL']);
    await chain.poll({ nodes: { ...chain.deps.nodes, heads: async () => heads } });
    expect(await states()).toEqual(['FINAL']);
    // Once it is short again, by blocks that hold the first, it gets the next.
    await chain.setCoins(chain.short, FLOOR - 1n);
    await chain.poll();
    await chain.makeFinal();
    expect(await states()).toEqual(['FINAL', 'FINAL']);
    expect(await chain.coins(chain.short)).toBe(TARGET);
  });

  it('is not short by the word of one node, nor by a block that is young', async () => {
    await keepBusy();
    await chain.setCoins(chain.short, COIN);
    const liar = await startLyingNode(harness.anvil.url);
    const nodes = createChainNodes({ rpcUrls: [harness.anvil.url, liar.url], depths: DEPTHS });
    try {
      liar.lieAbout(
        'eth_getBalance',
        result(() => '0x0'),
      );
      await expect(chain.poll({ nodes })).rejects.toThrow(ChainUnreadable);
      liar.repent();
      await chain.poll({ nodes });
    } finally {
      await nodes.close();
      await liar.close();
    }
    await harness.anvil.rpc('anvil_setBalance', chain.short, '0x0');
    await chain.mineAndPoll(2);
    expect(await states()).toEqual([]);
    await chain.makeFinal();
    expect(await states()).toEqual(['OPEN']);
  });

  it.each(['before it is signed', 'after it was sent, and lost'])(
    'gets nothing where it is frozen %s: its key may be in other hands',
    async (when) => {
      await keepBusy();
      const { signerOf } = chain.deps;
      const silent = { signerOf: () => null };
      await chain.poll(when === 'before it is signed' ? silent : lost());
      expect(await states()).toEqual(['OPEN']);
      expect(await freezeShort()).toBe(true);
      await chain.poll({ signerOf });
      await chain.makeFinal({ signerOf });
      expect(await states()).toEqual(['REJECTED']);
      expect(await chain.coins(chain.short)).toBe(0n);
    },
  );

  it('gets nothing where it is frozen while the top-up offers as much as it may', async () => {
    await keepBusy();
    const settings = { ...chain.deps.settings, gasCaps: await chain.deps.nodes.suggestFees() };
    await chain.poll({ ...lost(), settings });
    expect(await states()).toEqual(['OPEN']);
    expect(await freezeShort()).toBe(true);
    await chain.poll({ settings });
    await chain.makeFinal({ settings });
    expect(await states()).toEqual(['REJECTED']);
    expect(await chain.coins(chain.short)).toBe(0n);
  });

  it('gets nothing once it is in the settings no more', async () => {
    // It has a payment under way, by which it is looked at still.
    await mintUsdc(harness.anvil, harness.usdc, chain.short, 2n * THOUSAND);
    await chain.setCoins(chain.short, FLOOR / 2n);
    const { id } = await harness.send(2n * THOUSAND);
    const { settings } = chain.deps;
    await chain.poll({ ...lost(), settings: { ...settings, topUps: null } });
    const removed = { settings: { ...settings, hotAddresses: [harness.signerAccount] } };
    await chain.mineAndPoll(2, { ...lost(), ...removed });
    expect(await states()).toEqual([]);
    await chain.poll(removed);
    await chain.makeFinal(removed);
    expect(await harness.payment(id)).toMatchObject({ finality: 'FINAL' });
    expect(await harness.rows('SELECT FROM chain_nonces')).toHaveLength(1);
  });

  it('gets no more within an hour than signers give, which is told and takes no nonce', async () => {
    await keepBusy();
    const { settings } = chain.deps;
    const topUps = { ...settings.topUps!, hourMax: 2n * TARGET - 1n };
    const capped = { settings: { ...settings, topUps } };
    await chain.poll(capped);
    await chain.makeFinal(capped);
    expect(await states()).toEqual(['FINAL']);
    expect(harness.alarms.map(({ kind }) => kind)).not.toContain('SIGNING_REFUSED');
    // Its key is stolen, and it is emptied again and again.
    await chain.setCoins(chain.short, 0n);
    await chain.mineAndPoll(3, capped);
    expect(await states()).toEqual(['FINAL']);
    expect(await harness.rows('SELECT FROM chain_nonces')).toHaveLength(1);
    const told = { kind: 'SIGNING_REFUSED', address: harness.signerAccount, why: 'HOUR_OVER_CAP' };
    expect(harness.alarms).toContainEqual(told);
    harness.clock.advance(HOUR_MS);
    await chain.poll(capped);
    await chain.makeFinal(capped);
    expect(await states()).toEqual(['FINAL', 'FINAL']);
  });

  it('gets nothing from a gas account that keeps too little for itself, which is told; nor is that one topped up', async () => {
    await keepBusy();
    await chain.setCoins(harness.signerAccount, FLOOR + TARGET);
    await chain.mineAndPoll(2);
    expect(await states()).toEqual([]);
    await chain.setCoins(harness.signerAccount, FLOOR / 2n);
    await chain.mineAndPoll(2);
    expect(await states()).toEqual([]);
    const enough = (FLOOR + TARGET).toString();
    const told = {
      kind: 'LOW_GAS',
      address: harness.signerAccount,
      coins: (FLOOR / 2n).toString(),
      enough,
    };
    expect(harness.alarms).toContainEqual(told);
  });

  it('waits for an hour after its signer refused; what is behind that in the gas account goes on', async () => {
    await keepBusy();
    const signerOf: ChainDeps['signerOf'] = (address) => {
      const signer = chain.deps.signerOf(address);
      let isFirst = true;
      const sign: NonNullable<typeof signer>['sign'] = (unsigned) => {
        if (!isFirst) return signer!.sign(unsigned);
        isFirst = false;
        return Promise.reject(new SigningRefused('HOUR_OVER_CAP'));
      };
      return signer && { address, sign };
    };
    await chain.poll({ signerOf });
    const { id } = await harness.send();
    await chain.poll();
    await chain.makeFinal();
    expect(await states()).toEqual(['REJECTED']);
    expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED' });
    expect(await chain.coins(chain.short)).toBe(0n);
    harness.clock.advance(HOUR_MS);
    await chain.poll();
    await chain.makeFinal();
    expect(await states()).toEqual(['REJECTED', 'FINAL']);
    expect(await chain.coins(chain.short)).toBe(TARGET);
  });

  it('stays as it is where a network has no rules, or its gas account is frozen', async () => {
    await keepBusy();
    const { settings } = chain.deps;
    await chain.poll({ settings: { ...settings, topUps: null } });
    await freezeSignerAccountByHand(
      { db: harness.database.people, clock: harness.clock },
      { ...PLACE, address: harness.signerAccount },
      { operator: 'ada', reason: 'a look at its key' },
    );
    await chain.poll();
    expect(await states()).toEqual([]);
  });
});

it('a gas account that was given up with a top-up on its way keeps no other from giving', async () => {
  await keepBusy();
  await chain.poll(lost());
  const [sent] = await harness.rows<{ raw: Buffer }>('SELECT raw FROM chain_transactions');
  const { nodes, settings, signerOf } = chain.deps;
  const another = addSecondSignerAccount({ ...harness, deps: chain.deps });
  await chain.setCoins(another.address, 5n * COIN);
  await freezeSignerAccountByHand(
    { db: harness.database.people, clock: harness.clock },
    { ...PLACE, address: harness.signerAccount },
    { operator: 'ada', reason: 'its key is lost' },
  );
  await thawSignerAccount(harness, 'SIGNER_ACCOUNT_RETIRE');
  const topUps = { ...settings.topUps!, from: another.address };
  const later: Partial<ChainDeps> = {
    settings: { ...settings, hotAddresses: [another.address, ...settings.hotAddresses], topUps },
    signerOf: (address) => another.both.signerOf(address) ?? signerOf(address),
    // What the old one sent stays lost.
    nodes: {
      ...nodes,
      async broadcast(raw) {
        if (!sent?.raw.equals(raw)) await nodes.broadcast(raw);
      },
    },
  };
  await chain.poll(later);
  await chain.makeFinal(later);
  expect(await states()).toEqual(['OPEN', 'FINAL']);
  expect(await chain.coins(chain.short)).toBe(TARGET);
});

/** Why it is refused to the process that signs, whose code might be wrong. */
const attempt = (...statements: readonly string[]): Promise<string> =>
  harness.deps.db
    .system(async (tx) => {
      for (const statement of statements) await tx.query(statement);
      return 'nothing was refused';
    })
    .catch((error: unknown) => (error as Error).message);

/** Another top-up by the next nonce of the gas account, as of a final block. */
const plannedAnew = (recipient: string, plannedBlock = 999): readonly string[] => [
  `UPDATE chain_signer_accounts SET next_nonce = next_nonce + 1 WHERE address = '${harness.signerAccount}'`,
  `INSERT INTO chain_nonces (environment, network, address, nonce, created_at, updated_at)
   SELECT environment, network, address, next_nonce - 1, now(), now() FROM chain_signer_accounts
   WHERE address = '${harness.signerAccount}'`,
  `INSERT INTO chain_top_ups (environment, network, address, nonce, recipient, amount, planned_block, created_at,
     updated_at)
   SELECT environment, network, address, next_nonce - 1, '${recipient}', 1, ${String(plannedBlock)}, now(), now()
   FROM chain_signer_accounts WHERE address = '${harness.signerAccount}'`,
];

describe('of top-ups the database refuses', () => {
  beforeEach(async () => {
    await keepBusy();
    await chain.poll(lost());
  });

  it('a second one of a signer account while one is under way, or by a block before the last', async () => {
    expect(await attempt(...plannedAnew(chain.short))).toContain('another one for');
    await chain.poll();
    await chain.makeFinal();
    expect(await states()).toEqual(['FINAL']);
    expect(await attempt(...plannedAnew(chain.short, 1))).toContain('another one for');
    expect(await attempt(...plannedAnew(chain.short))).toBe('nothing was refused');
  });

  it('one of the signer account itself, of a signer account that is frozen, and one without a nonce of its own', async () => {
    expect(await attempt(...plannedAnew(harness.signerAccount))).toContain('check constraint');
    const [taken, , planned] = plannedAnew(chain.short);
    expect(await attempt(taken!, planned!)).toContain('its nonce carries something else');
    await freezeShort();
    expect(await attempt(...plannedAnew(chain.short))).toContain('may not be given anything');
    const raised = `INSERT INTO chain_transactions (environment, network, address, nonce, number, kind, unsigned,
        max_fee_per_gas, max_priority_fee_per_gas, gas, value, created_at)
      SELECT environment, network, address, nonce, number + 1, kind, unsigned, max_fee_per_gas,
        max_priority_fee_per_gas, gas, value, now() FROM chain_transactions WHERE kind = 'TOP_UP'`;
    expect(await attempt(raised)).toContain('the signer account that it is for is not open');
  });

  it('an end that is not its nonce’s, and another amount than was planned', async () => {
    for (const state of ['FINAL', 'REJECTED']) {
      const ended = await attempt(`UPDATE chain_top_ups SET state = '${state}', block_number = 1`);
      expect(ended).toContain('it ends as its nonce does');
    }
    expect(await attempt('UPDATE chain_top_ups SET amount = amount + 1')).toMatch(/denied/);
    const more = `INSERT INTO chain_transactions (environment, network, address, nonce, number, kind, unsigned,
        max_fee_per_gas, max_priority_fee_per_gas, gas, value, created_at)
      SELECT environment, network, address, nonce, number + 1, kind, unsigned, max_fee_per_gas,
        max_priority_fee_per_gas, gas, value + 1, now() FROM chain_transactions WHERE kind = 'TOP_UP'`;
    expect(await attempt(more)).toContain('it carries something else');
  });
});
