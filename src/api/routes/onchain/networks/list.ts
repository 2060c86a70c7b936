import { readStoppedNetworks } from '../../../../db/onchain/chain-stop-store.ts';
import type { Depth } from '../../../../domain/onchain/network.ts';
import type { ListedNetwork } from '../../../../domain/onchain/network-setup.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery } from '../../../schemas/list.ts';
import { NetworkListing } from '../../../schemas/network.ts';
import { staticListAnswer } from '../../../static-lists.ts';

/** GET /networks: where tokens can go, and how deep a transfer has to lie. */
export function listNetworks(app: App, { db, settings }: HttpDeps): void {
  app.get(
    '/networks',
    {
      config: { permission: 'corridors:read' },
      schema: {
        operationId: 'listNetworks',
        summary: 'List networks',
        description:
          'Lists the networks that this environment sends tokens over. The list is empty if the environment does not support tokens.',
        tags: ['Reference'],
        querystring: listQuery({}),
        response: {
          200: listOf(NetworkListing, 'The networks.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    async ({ scope, query }) => {
      const stopped = await db.read(scope, (tx) => readStoppedNetworks(tx, scope));
      const shown = settings.networks[scope.environment].map((one) =>
        viewNetwork(stopped.has(one.network) ? { ...one, status: 'PAUSED' } : one),
      );
      return staticListAnswer(shown, query, 'networks');
    },
  );
}

const viewNetwork = ({ network, chainId, status, assets, depths }: ListedNetwork) => ({
  network,
  chainId,
  assets: assets.map(({ asset, contract, min, max }) => ({
    ...{ asset, contract },
    min: formatAmount(min, asset),
    max: formatAmount(max, asset),
  })),
  confirmations: {
    credit: viewDepth(depths.credit),
    creditAbove: viewDepth(depths.creditAbove),
    final: viewDepth(depths.final),
  },
  status,
});

const viewDepth = (depth: Depth) =>
  depth.kind === 'BLOCKS' ? { blocks: depth.blocks, tag: null } : { blocks: null, tag: depth.tag };
