import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';

/** Every address is clear, and an error of ours ends the poll cycle, and so the test. */
export const UNTROUBLED: Pick<ChainDeps, 'addressScreening' | 'onFault'> = {
  addressScreening: { test: async () => ({ verdict: 'CLEAR', listVersion: 'sample' }) },
  onFault: (_about, error) => {
    throw error;
  },
};
