import { createChainNodes, type EvmChainNodes } from '../../adapters/evm/chain-nodes.ts';
import type { BlockRef } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import { formatAmount } from '../../domain/money/amount.ts';

const COIN_DIGITS = 18;

/** What a hot address holds at the newest block. */
export interface SignerAccountBalances {
  readonly address: string;
  /** For people; `unknown` and why, where the nodes do not say it. */
  readonly text: string;
  /** Minor units by asset; null where the nodes do not say it. */
  readonly tokens: ReadonlyMap<string, bigint> | null;
}

/** Each hot address of a network with what it holds at the newest block. */
export async function readSignerAccountBalances(
  setup: NetworkSetup,
): Promise<readonly SignerAccountBalances[]> {
  const { rpcUrls, depths, hotAddresses } = setup;
  const nodes = createChainNodes({ rpcUrls, depths });
  try {
    const { latest } = await nodes.heads();
    return await Promise.all(
      hotAddresses.map((address) => balancesOf(nodes, setup, address, latest)),
    );
  } catch (error) {
    if (!(error instanceof ChainUnreadable)) throw error;
    return hotAddresses.map((address) => ({
      address,
      text: `unknown: ${error.why}`,
      tokens: null,
    }));
  } finally {
    await nodes.close();
  }
}

async function balancesOf(
  nodes: EvmChainNodes,
  { assets }: NetworkSetup,
  address: string,
  block: BlockRef,
): Promise<SignerAccountBalances> {
  const coins = await nodes.nativeBalance(address, block);
  const tokens = await Promise.all(
    assets.map(
      async ({ asset, contract }) =>
        [asset, await nodes.tokenBalance(contract, address, block)] as const,
    ),
  );
  const texts = tokens.map(([asset, held]) => `${asset} ${formatAmount(held, asset)}`);
  const text = [`gas ${coinText(coins)}`, ...texts].join(', ');
  return { address, text, tokens: new Map(tokens) };
}

/** Wei as the network's coin, cut after six decimals. */
export function coinText(wei: bigint): string {
  const digits = wei.toString().padStart(COIN_DIGITS + 1, '0');
  return `${digits.slice(0, -COIN_DIGITS)}.${digits.slice(-COIN_DIGITS, -COIN_DIGITS + 6)}`;
}
