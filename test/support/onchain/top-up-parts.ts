import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { tickChain, type ChainTick } from '../../../src/modules/onchain/tick-chain.ts';
import type { LaneHarness } from './lane-harness.ts';
import { addSecondLane } from './second-lane.ts';

export const COIN = 10n ** 18n;
/** What a lane has after a top-up, in wei, and below what it is given one. */
export const TARGET = 10n ** 18n;
export const FLOOR = TARGET / 10n;

/** A top-up as it stands. */
export interface TopUpStand {
  readonly state: string;
  readonly recipient: string;
  readonly amount: string;
}

/** A harness whose lane is the gas lane of another one, which has nothing. */
export interface ToppedUp {
  /** The lane that is short. */
  readonly short: string;
  readonly deps: ChainDeps;
  /** A look, a minute later: whatever is looked at once a minute is due. */
  tick(overrides?: Partial<ChainDeps>): Promise<ChainTick>;
  /** So many blocks with a look after each. */
  mineAndTick(blocks: number, overrides?: Partial<ChainDeps>): Promise<void>;
  /** As many blocks as make final whatever was sent, and the two looks that tell it. */
  makeFinal(overrides?: Partial<ChainDeps>): Promise<void>;
  coins(address: string): Promise<bigint>;
  setCoins(address: string, wei: bigint): Promise<void>;
  topUps(): Promise<readonly TopUpStand[]>;
}

/** Adds the lane that is short, and rules by which the harness's own tops it up. */
export function addTopUps(harness: LaneHarness): ToppedUp {
  const { anvil, clock, lane, rows } = harness;
  const { address: short, both } = addSecondLane(harness);
  const topUps = { from: lane, floor: FLOOR, target: TARGET, hourMax: 1_000n * COIN };
  const deps = { ...harness.deps, ...both, settings: { ...both.settings, topUps } };
  const tick: ToppedUp['tick'] = async (overrides = {}) => {
    clock.advance(60_000);
    return tickChain({ ...deps, ...overrides });
  };
  return {
    ...{ short, deps, tick },
    async mineAndTick(blocks, overrides) {
      for (let mined = 0; mined < blocks; mined += 1) {
        await anvil.mine();
        await tick(overrides);
      }
    },
    async makeFinal(overrides) {
      await anvil.mine(8);
      await tick(overrides);
      await tick(overrides);
    },
    async coins(address) {
      return BigInt(await anvil.rpc<string>('eth_getBalance', address, 'latest'));
    },
    async setCoins(address, wei) {
      await anvil.rpc('anvil_setBalance', address, `0x${wei.toString(16)}`);
      // What lies at the final block is what was there before.
      await anvil.mine(8);
    },
    topUps: () =>
      rows<TopUpStand>(
        `SELECT state, recipient, amount::text AS amount FROM chain_top_ups ORDER BY created_at, nonce`,
      ),
  };
}
