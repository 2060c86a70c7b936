import { encodeFunctionData, toHex, type Address, type Hex } from 'viem';
import type { AnvilNode } from './anvil-node.ts';
import {
  DEPLOYER,
  encodeIssue,
  ISSUER,
  TOKEN_ABI,
  type ChainContracts,
} from './chain-contracts.ts';
import type { SandboxTransaction } from './chain-miner.ts';

/** A contract of 24 KB costs five million. */
const GAS = toHex(8_000_000n);
/** In wei per gas. */
const FEE = toHex(100_000_000_000n);
const TIP = toHex(1_000_000_000n);
/** What a hot address has for its fees at first, in wei: a thousand coins. */
const COINS = toHex(10n ** 21n);

interface Step {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
}

/** A transfer that comes in from outside. */
export interface IncomingTransfer {
  readonly asset: string;
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  /** Minor units. */
  readonly amount: bigint;
  readonly fate: SandboxTransaction['fate'];
}

/** Writes the sandbox's own transactions, from addresses that it may speak for. */
interface SandboxAccount {
  /** Mines every contract that the chain lacks. */
  deploy(contracts: ChainContracts): Promise<void>;
  /** Gives an address coins at once, and tokens by transactions. Minor units. */
  funding(
    owner: Address,
    tokens: readonly { readonly asset: string; readonly token: Address }[],
    amount: bigint,
  ): Promise<readonly SandboxTransaction[]>;
  /** The last one is the transfer; before it the sender gets what it sends. */
  incoming(transfer: IncomingTransfer): Promise<readonly SandboxTransaction[]>;
}

export function createSandboxAccount(node: AnvilNode): SandboxAccount {
  async function write(
    steps: readonly Step[],
    fateOfLast: SandboxTransaction['fate'] = 'STAYS',
  ): Promise<readonly SandboxTransaction[]> {
    const nonces = new Map<Address, number>();
    for (const from of new Set(steps.map((step) => step.from))) {
      const count = await node.call<Hex>('eth_getTransactionCount', [from, 'latest']);
      nonces.set(from, Number(count));
    }
    return steps.map(({ from, to, data }, index) => {
      const nonce = nonces.get(from) ?? 0;
      nonces.set(from, nonce + 1);
      return {
        request: {
          ...{ from, to, data, nonce: toHex(nonce), gas: GAS },
          ...{ maxFeePerGas: FEE, maxPriorityFeePerGas: TIP },
        },
        fate: index === steps.length - 1 ? fateOfLast : 'STAYS',
      };
    });
  }

  const issue = (asset: string, token: Address, to: Address, amount: bigint): Step => ({
    from: ISSUER,
    to: token,
    data: encodeIssue(asset, to, amount),
  });

  return {
    async deploy({ planned }) {
      await node.call('anvil_setBalance', [ISSUER, COINS]);
      for (const { address, deployment, setUp } of planned) {
        if ((await node.call<Hex>('eth_getCode', [address, 'latest'])) !== '0x') continue;
        const written = await write([
          { from: ISSUER, to: DEPLOYER, data: deployment },
          ...setUp.map((data) => ({ from: ISSUER, to: address, data })),
        ]);
        for (const { request } of written) await node.call('eth_sendTransaction', [request]);
        await node.call('evm_mine');
      }
    },
    async funding(owner, tokens, amount) {
      await node.call('anvil_setBalance', [owner, COINS]);
      return write(tokens.map(({ asset, token }) => issue(asset, token, owner, amount)));
    },
    incoming({ asset, token, from, to, amount, fate }) {
      const data = encodeFunctionData({
        abi: TOKEN_ABI,
        functionName: 'transfer',
        args: [to, amount],
      });
      return write([issue(asset, token, from, amount), { from, to: token, data }], fate);
    },
  };
}
