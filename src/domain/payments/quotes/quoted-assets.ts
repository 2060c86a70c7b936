import type { Network } from '../../onchain/network.ts';
import type { ListedNetwork } from '../../onchain/network-setup.ts';
import type { Problem } from '../../errors/refusal.ts';
import { isStablecoin } from '../../money/currencies.ts';

/** What a quote is between: codes of currencies or assets. */
interface QuotedPair {
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  /** Where an asset shall arrive; null of a quote to a currency. */
  readonly network: Network | null;
}

/**
 * What is in the way of a quote with an asset, by what an environment lists: an asset arrives on a network
 * that lists it and is open, and one that is paid with is listed on any of them. None between currencies.
 */
export function problemsOfAssets(
  networks: readonly Pick<ListedNetwork, 'network' | 'status' | 'assets'>[],
  { sourceCurrency, targetCurrency, network }: QuotedPair,
): Problem[] {
  const assets = [sourceCurrency, targetCurrency].filter(isStablecoin);
  if (assets.length === 0) return [];
  if (networks.length === 0) return [closed(network === null ? '/sourceAsset' : '/network')];
  const isListed = (asset: string, on = networks): boolean =>
    on.some(({ assets: listed }) => listed.some((one) => one.asset === asset));
  const problems: Problem[] = [];
  if (isStablecoin(sourceCurrency) && !isListed(sourceCurrency)) {
    problems.push(
      unlisted(
        '/sourceAsset',
        'The asset is not supported. Use an asset that GET /networks lists.',
      ),
    );
  }
  if (network === null) return problems;
  const there = networks.filter((one) => one.network === network);
  if (there.length === 0) {
    const message = 'The network is not supported. Use a network that GET /networks lists.';
    problems.push({ path: '/network', code: 'unsupported_network', message });
  } else if (!isListed(targetCurrency, there)) {
    problems.push(
      unlisted(
        '/targetAsset',
        'The asset is not supported on the network. Use an asset that GET /networks lists for it.',
      ),
    );
  } else if (there.every(({ status }) => status === 'PAUSED')) {
    problems.push(closed('/network'));
  }
  return problems;
}

const unlisted = (path: string, message: string): Problem => ({
  ...{ path, code: 'unsupported_asset', message },
});

const closed = (path: string): Problem => ({
  ...{ path, code: 'corridor_unavailable' },
  message: 'The network is paused. Try again later.',
});
