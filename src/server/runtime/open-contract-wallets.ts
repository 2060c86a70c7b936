import { askContract } from '../../adapters/evm/ask-contract.ts';
import { openNodes } from '../../adapters/evm/open-nodes.ts';
import type { AskContract } from '../../domain/onchain/ask-contract.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import { ENVIRONMENTS } from '../../domain/scope.ts';
import type { ContractWallets } from '../../modules/parties/wallets/verify-wallet.ts';
import type { Resources } from './resources.ts';

/** What asks contracts, and the end of its connections. */
interface OpenContractWallets {
  readonly contractWallets: ContractWallets;
  close(): Promise<void>;
}

/** Asks the contracts of every environment that has networks, through their nodes. Nothing here waits. */
export function openContractWallets({ config }: Pick<Resources, 'config'>): OpenContractWallets {
  const opened = ENVIRONMENTS.filter((one) => config.chain[one].length > 0).map((environment) => {
    return { environment, ...openOne(config.chain[environment]) };
  });
  return {
    contractWallets: Object.fromEntries(opened.map(({ environment, ask }) => [environment, ask])),
    async close() {
      await Promise.all(opened.map(({ close }) => close()));
    },
  };
}

function openOne(setups: readonly NetworkSetup[]): { ask: AskContract; close(): Promise<void> } {
  const all = new Map(setups.map(({ network, rpcUrls }) => [network, openNodes(rpcUrls)]));
  return {
    async ask({ network, ...question }) {
      const found = all.get(network);
      if (found === undefined) throw new ChainUnreadable('NO_NETWORK');
      return askContract(found.nodes, question);
    },
    async close() {
      await Promise.all([...all.values()].map((one) => one.close()));
    },
  };
}
