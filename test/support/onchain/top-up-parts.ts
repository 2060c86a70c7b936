import type { NextPoll } from '../../../src/domain/onchain/next-poll.ts';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { pollChain } from '../../../src/modules/onchain/poll-chain.ts';
import type { SignerHarness } from './signer-harness.ts';
import { addSecondSignerAccount } from './second-signer-account.ts';

export const COIN = 10n ** 18n;
/** What a signer account has after a top-up, in wei, and below what it is given one. */
export const TARGET = 10n ** 18n;
export const FLOOR = TARGET / 10n;

/** A top-up as it stands. */
export interface TopUpStand {
  readonly state: string;
  readonly recipient: string;
  readonly amount: string;
}

/** A harness whose signer account is the gas account of another one, which has nothing. */
export interface ToppedUp {
  /** The signer account that is short. */
  readonly short: string;
  readonly deps: ChainDeps;
  /** A poll cycle, a minute later: whatever is looked at once a minute is due. */
  poll(overrides?: Partial<ChainDeps>): Promise<NextPoll>;
  /** So many blocks with a poll cycle after each. */
  mineAndPoll(blocks: number, overrides?: Partial<ChainDeps>): Promise<void>;
  /** As many blocks as make final whatever was sent, and the two poll cycles that tell it. */
  makeFinal(overrides?: Partial<ChainDeps>): Promise<void>;
  coins(address: string): Promise<bigint>;
  setCoins(address: string, wei: bigint): Promise<void>;
  topUps(): Promise<readonly TopUpStand[]>;
}

/** Adds the signer account that is short, and rules by which the harness's own tops it up. */
export function addTopUps(harness: SignerHarness): ToppedUp {
  const { anvil, clock, signerAccount, rows } = harness;
  const { address: short, both } = addSecondSignerAccount(harness);
  const topUps = { from: signerAccount, floor: FLOOR, target: TARGET, hourMax: 1_000n * COIN };
  const deps = { ...harness.deps, ...both, settings: { ...both.settings, topUps } };
  const poll: ToppedUp['poll'] = async (overrides = {}) => {
    clock.advance(60_000);
    return pollChain({ ...deps, ...overrides });
  };
  return {
    ...{ short, deps, poll },
    async mineAndPoll(blocks, overrides) {
      for (let mined = 0; mined < blocks; mined += 1) {
        await anvil.mine();
        await poll(overrides);
      }
    },
    async makeFinal(overrides) {
      await anvil.mine(8);
      await poll(overrides);
      await poll(overrides);
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
