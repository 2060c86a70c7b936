import type { LaneKey } from '../../db/onchain/chain-lane-store.ts';
import type { NonceRow } from '../../db/onchain/chain-nonce-store.ts';
import type { GasFees } from '../../domain/onchain/chain-facts.ts';
import { firstFees } from '../../domain/onchain/lane-fees.ts';
import type { ChainDeps, ChainLook } from './chain-deps.ts';

/** A lane as a tick knows it. */
export interface OpenLane {
  readonly key: LaneKey;
  /** How many of its nonces are not over. */
  readonly open: number;
  /** What those that are in no block will take of it: minor units by contract. */
  readonly owed: ReadonlyMap<string, bigint>;
  /** Wei that those may take. */
  readonly gasOwed: bigint;
  /** The address's next nonce at the newest block. */
  readonly nextOnChain: bigint;
}

/** Minor units by contract that the nonces which are in no block will take of their lane. */
export function tokensOwed(
  nonces: readonly NonceRow[],
  nextOnChain: bigint,
): ReadonlyMap<string, bigint> {
  const owed = new Map<string, bigint>();
  for (const { nonce, contract, amount } of nonces) {
    if (contract === null || amount === null) continue;
    if (nonce >= nextOnChain) owed.set(contract, (owed.get(contract) ?? 0n) + amount);
  }
  return owed;
}

/**
 * Wei that the nonces which are in no block may take of their lane, what they give to other lanes included: of each the
 * dearest of its transactions.
 */
export function gasOwed(nonces: readonly NonceRow[], nextOnChain: bigint): bigint {
  let owed = 0n;
  for (const { transactions } of nonces.filter(({ nonce }) => nonce >= nextOnChain)) {
    owed += transactions
      .map(({ gas, maxFeePerGas, value }) => gas * maxFeePerGas + value)
      .reduce((most, one) => (one > most ? one : most), 0n);
  }
  return owed;
}

/** What transfers of one tick are paid from, read from the nodes once. All throw ChainUnreadable. */
export interface LaneFunds {
  /** What a transaction offers now; null where that is over the cap. */
  fees(): Promise<GasFees | null>;
  /** Minor units of a token that a lane has and owes to no nonce. */
  tokens(lane: OpenLane, contract: string): Promise<bigint>;
  /** Wei at a lane's address. */
  coins(lane: OpenLane): Promise<bigint>;
}

/** As of the tick's own newest block. What could not be read is asked for anew by the next transfer. */
export function createLaneFunds({ nodes, settings }: ChainDeps, { heads }: ChainLook): LaneFunds {
  const known = new Map<string, bigint>();
  let fees: GasFees | null | undefined;
  async function once(name: string, read: () => Promise<bigint>): Promise<bigint> {
    const value = known.get(name) ?? (await read());
    known.set(name, value);
    return value;
  }
  return {
    async fees() {
      if (fees === undefined) fees = firstFees(await nodes.suggestFees(), settings.gasCaps);
      return fees;
    },
    async tokens({ key: { address }, owed }, contract) {
      const read = () => nodes.tokenBalance(contract, address, heads.latest);
      return (await once(`${address} ${contract}`, read)) - (owed.get(contract) ?? 0n);
    },
    coins: ({ key: { address } }) =>
      once(address, () => nodes.nativeBalance(address, heads.latest)),
  };
}
