import type { SignerAccountKey } from '../../db/onchain/signer-account-store.ts';
import type { NonceRow } from '../../db/onchain/chain-nonce-store.ts';
import type { CallOutcome, GasFees } from '../../domain/onchain/chain-facts.ts';
import type { NonceSlots } from '../../domain/onchain/nonce-slots.ts';
import type { TriedCall } from '../../domain/onchain/chain-nodes.ts';
import { firstFees } from '../../domain/onchain/transaction-fees.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';

/** A signer account as a poll cycle knows it. */
export interface OpenSignerAccount {
  readonly key: SignerAccountKey;
  readonly slots: NonceSlots;
  /** What those that are in no block will take of it: minor units by contract. */
  readonly owed: ReadonlyMap<string, bigint>;
  /** Wei that those may take. */
  readonly gasOwed: bigint;
  /** The address's next nonce at the newest block. */
  readonly nextOnChain: bigint;
}

/** Minor units by contract that the nonces which are in no block will take of their signer account. */
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
 * Wei that the nonces which are in no block may take of their signer account: of each the dearest of its transactions.
 */
export function gasOwed(nonces: readonly NonceRow[], nextOnChain: bigint): bigint {
  let owed = 0n;
  for (const { transactions } of nonces.filter(({ nonce }) => nonce >= nextOnChain)) {
    owed += transactions
      .map(({ gas, maxFeePerGas }) => gas * maxFeePerGas)
      .reduce((most, one) => (one > most ? one : most), 0n);
  }
  return owed;
}

/** What transfers of one poll cycle are paid from, read from the nodes once. All throw ChainUnreadable. */
export interface SignerFunds {
  /** What a transaction offers now; null where that is over the cap. */
  fees(): Promise<GasFees | null>;
  /** Minor units of a token that a signer account has and owes to no nonce. */
  tokens(signerAccount: OpenSignerAccount, contract: string): Promise<bigint>;
  /** Wei at a signer account's address. */
  coins(signerAccount: OpenSignerAccount): Promise<bigint>;
  /** What a call would do now; what was tried before it is needed is not tried again. */
  tried(call: TriedCall): Promise<CallOutcome>;
  /** Tries a call before it is needed. Never throws. */
  tryAhead(call: TriedCall): void;
}

/** As of the poll cycle's own newest block. What could not be read is asked for anew by the next transfer. */
export function createSignerFunds(
  { nodes, settings }: ChainDeps,
  { heads }: PollCycle,
): SignerFunds {
  const known = new Map<string, bigint>();
  const ahead = new Map<string, Promise<CallOutcome>>();
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
    tried(call) {
      const name = nameOf(call);
      const outcome = ahead.get(name) ?? nodes.tryCall(call);
      // What comes later is asked anew.
      ahead.delete(name);
      return outcome;
    },
    tryAhead(call) {
      const outcome = nodes.tryCall(call);
      outcome.catch(() => undefined);
      ahead.set(nameOf(call), outcome);
    },
  };
}

const nameOf = ({ from, to, data }: TriedCall): string =>
  `${from} ${to} ${Buffer.from(data).toString('hex')}`;
