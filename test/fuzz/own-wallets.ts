import { privateKeyToAccount } from 'viem/accounts';
import { createRandom } from '../support/random.ts';
import type { Fact } from './facts.ts';

const COUNT = 5;

/** Wallets whose keys the fuzzer has: a proof of ownership is nothing that a document can say. */
export interface OwnWallets {
  readonly addresses: readonly string[];
  /** A fact about one of them with the signature over the message that it is asked for. */
  sign(fact: Fact): Promise<Fact>;
}

/** The same wallets for the same seed. They are for test networks alone. */
export function createOwnWallets(seed: number): OwnWallets {
  const random = createRandom(seed);
  const accounts = Array.from({ length: COUNT }, () => {
    const hex = Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join('');
    return privateKeyToAccount(`0x${hex}`);
  });
  return {
    addresses: accounts.map(({ address }) => address),
    async sign(fact) {
      const { address = '', message } = fact;
      const owner = accounts.find((one) => one.address.toLowerCase() === address.toLowerCase());
      if (owner === undefined || message === undefined) return fact;
      return { ...fact, signature: await owner.signMessage({ message }) };
    },
  };
}
