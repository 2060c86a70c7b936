import type { Address, Hex } from 'viem';

/** Senders that hold nothing of a token until a refill, though the chain says otherwise. */
export interface EmptiedWallets {
  /** A transfer that is tried: does its sender hold nothing for it? From then on it holds nothing. */
  empties(token: Address, from: Address, data: Hex): boolean;
  holdsNothing(token: Address, owner: Address): boolean;
  /** Every sender holds what the chain says; what was refused before is let through. */
  refill(): void;
}

const CALLS_REMEMBERED_MAX = 10_000;

export function createEmptiedWallets(): EmptiedWallets {
  const refused = new Map<string, string>();
  const allowed = new Set<string>();
  const walletOf = (token: Address, owner: Address): string => `${token}/${owner}`.toLowerCase();
  return {
    empties(token, from, data) {
      if (allowed.has(data)) return false;
      if (refused.size < CALLS_REMEMBERED_MAX) refused.set(data, walletOf(token, from));
      return true;
    },
    holdsNothing(token, owner) {
      const wallet = walletOf(token, owner);
      return [...refused.values()].includes(wallet);
    },
    refill() {
      if (allowed.size > CALLS_REMEMBERED_MAX) allowed.clear();
      for (const data of refused.keys()) allowed.add(data);
      refused.clear();
    },
  };
}
