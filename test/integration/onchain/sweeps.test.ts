import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pollChain } from '../../../src/modules/onchain/poll-chain.ts';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { readSweepableChains } from '../../../src/db/onchain/chain-sweep-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { forwarderAddress } from '../../../src/domain/onchain/create2.ts';
import { SigningRefused } from '../../../src/domain/onchain/signer.ts';
import {
  createSignerHarness,
  PLACE,
  type SignerHarness,
} from '../../support/onchain/signer-harness.ts';
import {
  act,
  addSweeps,
  deployHostile,
  hostileCall,
  TREASURY,
  withSuperuser,
  type SweepChain,
} from '../../support/onchain/sweep-parts.ts';
import { hex } from '../../support/deposit-harness.ts';
import { usdcCall } from '../../support/onchain/usdc.ts';

const HOUR_MS = 3_600_000;
const ONE = 1_000_000n;

let harness: SignerHarness;
let chain: SweepChain;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  chain = await addSweeps(harness);
  startOver = await harness.keepStart();
});
beforeEach(() => startOver());
afterAll(() => harness.close());

const poll = (overrides: Partial<ChainDeps> = {}) => pollChain({ ...chain.deps, ...overrides });

/** A round begins no sooner after the one before; then what it sent becomes final. */
async function sweepRound(overrides: Partial<ChainDeps> = {}): Promise<void> {
  harness.clock.advance(10_000);
  await poll(overrides);
  await harness.anvil.mine(8);
  await poll();
  await poll();
}

const count = async (table: string): Promise<number> => {
  const [row] = await harness.rows<{ count: bigint }>(`SELECT count(*) FROM ${table}`);
  return Number(row?.count);
};

/** Nodes that take what they are sent and tell no one. */
const lost = (): Partial<ChainDeps> => ({
  nodes: { ...chain.deps.nodes, broadcast: async () => undefined },
});

/** Deposits of one USDC each, final. */
async function deposits(howMany: number): Promise<string[]> {
  const addresses = await chain.depositMany(howMany, ONE);
  await harness.anvil.mine(7);
  return addresses;
}

/** So many addresses that hold less than the floor, final: answers them. */
async function dustAt(howMany: number): Promise<string[]> {
  const addresses = await chain.depositMany(howMany, ONE - 1n);
  await harness.anvil.mine(10);
  return addresses;
}

/** The chain's nodes; `onAsked` hears whose tokens they are asked for. */
const watchedNodes = (onAsked: (owner: string) => void): Partial<ChainDeps> => ({
  nodes: {
    ...chain.deps.nodes,
    tokenBalance(token, owner, block) {
      onAsked(owner);
      return chain.deps.nodes.tokenBalance(token, owner, block);
    },
  },
});

const addressOf = (id: string) => forwarderAddress(chain.factory, PLACE.environment, id);

/** A deposit to a standing address that operators are to judge, or that is blocked, as its row says it. */
const keepBack = (id: string, why: 'HELD' | 'BLOCKED', amount: bigint, asset = 'USDC') =>
  withSuperuser(harness.database.url, async (superuser) => {
    await superuser.query('SET session_replication_role = replica');
    const isHeld = why === 'HELD';
    await superuser.query(
      `INSERT INTO deposits (id, customer_id, environment, network, tx_hash, ordinal, asset, from_address, to_address,
         amount, deposit_address_id, block_number, block_hash, block_at, status, review, applied_to, created_at, updated_at)
       VALUES ($1, 'cus_1', $2, $3, $4, 0, $5, $6, $6, $7, $8, 1, $4, $9, $10, $11, $12, $9, $9)`,
      [
        ...[
          newId('dep'),
          PLACE.environment,
          PLACE.network,
          hex(32),
          asset,
          addressOf(id),
          amount,
          id,
        ],
        ...[harness.clock.now(), isHeld ? 'SEEN' : 'BLOCKED', isHeld ? 'HELD' : null],
        isHeld ? null : 'SUSPENSE',
      ],
    );
  });

const inTreasury = () => chain.held(harness.usdc, TREASURY);
const states = async () => (await chain.sweeps()).map(({ state }) => state);

describe('sweeps', () => {
  it('fifty addresses at a time go to the treasury, both tokens, and the books hear nothing', async () => {
    await deposits(51);
    for (let made = 0; made < 3; made += 1) await chain.deposit('USDT', 2n * ONE);
    const dust = await chain.deposit('USDC', ONE - 1n);
    await harness.anvil.mine(7);
    const before = await count('ledger_entries');
    await sweepRound();
    expect(await inTreasury()).toBe(51n * ONE);
    expect(await chain.held(chain.usdt, TREASURY)).toBe(6n * ONE);
    expect(await harness.balance(dust)).toBe(ONE - 1n);
    expect(await chain.sweeps()).toEqual(
      [50, 1, 3].map((addresses, index) => ({
        ...{ state: 'FINAL', asset: index < 2 ? 'USDC' : 'USDT', addresses },
        fee: expect.stringMatching(/^[1-9][0-9]+$/),
      })),
    );
    expect(await count('ledger_entries')).toBe(before);
    expect(await poll()).toEqual({ kind: 'IDLE' });
    // An hour later nothing lies there: the list is empty but for what is below the floor.
    harness.clock.advance(HOUR_MS);
    await sweepRound();
    expect(await count('chain_unswept')).toBe(1);
    expect(await count('chain_sweeps')).toBe(3);
    expect(harness.alarms).toEqual([]);
  });

  it('what is not final yet, is below the floor, or is blocked is left; a proxy is swept again', async () => {
    const id = newId('da');
    const address = forwarderAddress(chain.factory, PLACE.environment, id);
    await chain.deposit('USDC', 3n * ONE, id);
    harness.clock.advance(10_000);
    await poll();
    // At the final block there was nothing yet, so the row of a deposit that is final there is forgotten.
    expect(await count('chain_sweeps')).toBe(0);
    await harness.anvil.mine(7);
    await chain.list('USDC', address, id);
    await sweepRound();
    expect(await inTreasury()).toBe(3n * ONE);
    harness.clock.advance(HOUR_MS);
    await sweepRound();
    expect(await count('chain_unswept')).toBe(0);
    await chain.deposit('USDC', 4n * ONE, id);
    await harness.anvil.mine(7);
    await sweepRound();
    expect(await inTreasury()).toBe(7n * ONE);
  });

  it('little that is held or blocked leaves the rest no reason to stay; much of it does', async () => {
    const ids = Array.from({ length: 3 }, () => newId('da'));
    const [little = '', much = '', both = ''] = ids;
    for (const id of ids) await chain.deposit('USDC', 3n * ONE, id);
    await keepBack(little, 'HELD', 10n * ONE - 1n);
    await keepBack(much, 'HELD', 10n * ONE);
    await keepBack(both, 'HELD', 4n * ONE);
    await keepBack(both, 'BLOCKED', 6n * ONE);
    // Of another asset it says nothing.
    await keepBack(little, 'BLOCKED', 100n * ONE, 'EURC');
    await harness.anvil.mine(7);
    await sweepRound();
    expect(await inTreasury()).toBe(3n * ONE);
    expect(await harness.balance(addressOf(little))).toBe(0n);
    expect(await harness.balance(addressOf(much))).toBe(3n * ONE);
    expect(await harness.balance(addressOf(both))).toBe(3n * ONE);
  });

  it('dear blocks, a signer account that payments fill, or a network without rules: nothing is swept', async () => {
    await deposits(1);
    const { settings } = chain.deps;
    await sweepRound({
      settings: { ...settings, sweeps: { ...settings.sweeps!, maxFeePerGas: 1n } },
    });
    await harness.anvil.rpc('anvil_setBalance', harness.signerAccount, '0x1');
    harness.clock.advance(60_000);
    await sweepRound();
    harness.clock.advance(60_000);
    await sweepRound();
    const low = expect.objectContaining({ kind: 'LOW_GAS', coins: '1' });
    expect(harness.alarms).toEqual([low, low]);
    await harness.anvil.rpc('anvil_setBalance', harness.signerAccount, '0x8ac7230489e80000');
    await sweepRound({ settings: { ...settings, sweeps: null } });
    expect(await count('chain_sweeps')).toBe(0);
    const now = harness.clock.now();
    expect(await chain.deps.db.system((tx) => readSweepableChains(tx, now))).toEqual([]);
    harness.clock.advance(24 * HOUR_MS);
    await sweepRound();
    expect(await inTreasury()).toBe(ONE);
  });

  it('sweeps take four nonces at most, and none while payments have eight under way', async () => {
    for (let sent = 0; sent < 8; sent += 1) await harness.send(ONE);
    await deposits(1);
    harness.clock.advance(10_000);
    await poll();
    expect(await count('chain_nonces')).toBe(8);
    expect(await count('chain_sweeps')).toBe(0);
    await sweepRound();
    await sweepRound();
    expect(await inTreasury()).toBe(ONE);
    // As little of the coin as two addresses take: each sweep is small, and the fifth waits.
    await deposits(12);
    const { maxFeePerGas } = await chain.deps.nodes.suggestFees();
    const coins = (16n * 100_000n + 60_000n + 2n * 150_000n) * maxFeePerGas * 2n;
    await harness.anvil.rpc('anvil_setBalance', harness.signerAccount, `0x${coins.toString(16)}`);
    harness.clock.advance(10_000);
    await poll(lost());
    expect((await states()).filter((state) => state === 'OPEN').length).toBeLessThanOrEqual(4);
    const { id } = await harness.send(ONE);
    for (let look = 0; look < 10 && (await inTreasury()) < 13n * ONE; look += 1) await sweepRound();
    expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED' });
    expect(await inTreasury()).toBe(13n * ONE);
  });

  it('an address that the token refuses meanwhile stops no other, and calls a human', async () => {
    const [one, blocked, other] = await deposits(3);
    harness.clock.advance(10_000);
    await poll(lost());
    await act(harness.anvil, harness.usdc, usdcCall('blacklist', blocked));
    await sweepRound();
    expect(await harness.balance(one!)).toBe(0n);
    expect(await harness.balance(other!)).toBe(0n);
    expect(await inTreasury()).toBe(2n * ONE);
    expect(await states()).toEqual(['FINAL']);
    harness.clock.advance(HOUR_MS);
    await sweepRound();
    // It is asked first now: no gas is spent on it.
    expect(await states()).toEqual(['FINAL']);
    expect(harness.alarms).toEqual([{ kind: 'NOT_SWEPT', address: blocked, asset: 'USDC' }]);
    await act(harness.anvil, harness.usdc, usdcCall('unBlacklist', blocked));
    harness.clock.advance(24 * HOUR_MS);
    await sweepRound();
    expect(await inTreasury()).toBe(3n * ONE);
  });

  it.each([
    { manner: 'answers false', number: 2, states: ['FINAL'] },
    // It takes all the gas with it; asked before the next sweep, it is left out.
    { manner: 'refuses at great length', number: 4, states: ['REJECTED', 'FINAL'] },
  ])('a token that $manner for one address does not stop the others', async (hostility) => {
    const hostile = await deployHostile(harness.anvil, chain.factory);
    const ids = [newId('da'), newId('da'), newId('da')];
    const addresses = ids.map((id) => forwarderAddress(chain.factory, PLACE.environment, id));
    for (const [at, address] of addresses.entries()) {
      await act(harness.anvil, hostile, hostileCall('issue', address, 5n * ONE));
      await chain.list('EURC', address, ids[at]!);
    }
    await harness.anvil.mine(7);
    const { settings } = chain.deps;
    const tokens = [{ asset: 'EURC', contract: hostile, floor: ONE }];
    const listed = { settings: { ...settings, sweeps: { ...settings.sweeps!, tokens } } };
    harness.clock.advance(10_000);
    await poll({ ...lost(), ...listed });
    // It is swept before the others, which have what gas it leaves.
    const inOrder = 'SELECT address FROM chain_unswept ORDER BY address';
    const [{ address: first } = {}] = await harness.rows<{ address: string }>(inOrder);
    await act(harness.anvil, hostile, hostileCall('treat', first, hostility.number, []));
    await sweepRound(listed);
    harness.clock.advance(HOUR_MS);
    await sweepRound(listed);
    expect(await states()).toEqual(hostility.states);
    expect(await chain.held(hostile, TREASURY)).toBe(10n * ONE);
    expect(harness.alarms).toContainEqual(
      expect.objectContaining({ kind: 'NOT_SWEPT', address: first }),
    );
  });

  it('a sweep that a reorganisation takes back is sent again, and is swept once', async () => {
    await deposits(2);
    harness.clock.advance(10_000);
    await poll();
    await harness.anvil.mine(4);
    await poll();
    await harness.anvil.rpc('anvil_reorg', 4, []);
    await poll();
    await poll();
    await harness.anvil.mine(8);
    await poll();
    await poll();
    expect(await states()).toEqual(['FINAL']);
    expect(await inTreasury()).toBe(2n * ONE);
  });

  it('what the signer refuses is voided, holds up no payment, and is planned anew', async () => {
    await deposits(1);
    const signerOf: ChainDeps['signerOf'] = (address) => {
      const signer = chain.deps.signerOf(address);
      let isFirst = true;
      return (
        signer && {
          address,
          sign: (unsigned) => {
            if (!isFirst || unsigned.length < 100) return signer.sign(unsigned);
            isFirst = false;
            return Promise.reject(new SigningRefused('GAS_OVER_CAP'));
          },
        }
      );
    };
    await sweepRound({ signerOf });
    await harness.anvil.mine(8);
    await poll();
    expect(await states()).toEqual(['REJECTED']);
    const { id } = await harness.send(ONE);
    await sweepRound();
    expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED' });
    harness.clock.advance(HOUR_MS);
    await sweepRound();
    expect(await states()).toEqual(['REJECTED', 'FINAL']);
    expect(await inTreasury()).toBe(ONE);
  });

  it('however many addresses hold dust, a poll cycle looks at a hundred, and the next one at the rest', async () => {
    const dust = new Set(await dustAt(120));
    const looked: string[] = [];
    const watched = watchedNodes((owner) => {
      if (dust.has(owner)) looked.push(owner);
    });
    harness.clock.advance(10_000);
    for (const all of [100, 120]) {
      const next = await poll(watched);
      expect(looked).toHaveLength(all);
      // No rest while something is left; what is below the floor is left for a day.
      expect(next.kind).toBe(all < 120 ? 'WAIT' : 'IDLE');
    }
    expect(new Set(looked)).toEqual(dust);
    harness.clock.advance(10_000);
    await poll(watched);
    expect(looked).toHaveLength(120);
    expect(await count('chain_unswept')).toBe(120);
  });

  it('a payment hears that it is settled before an address is looked at', async () => {
    await harness.send(ONE);
    await poll();
    const dust = await dustAt(1);
    const heard: string[] = [];
    await poll({
      ...watchedNodes((owner) => {
        if (dust.includes(owner)) heard.push('dust');
      }),
      workflows: { wakePayment: async () => void heard.push('payment') },
    });
    expect(heard).toEqual(['payment', 'dust']);
  });

  it('two processes that poll at once sweep an address once', async () => {
    await deposits(3);
    harness.clock.advance(10_000);
    await Promise.all([poll(), poll(), poll()]);
    await sweepRound();
    expect(await states()).toEqual(['FINAL']);
    expect(await inTreasury()).toBe(3n * ONE);
  });
});
