import { Type } from 'typebox';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { NETWORK_STATUSES } from '../../domain/onchain/network-setup.ts';
import { AmountText } from './common.ts';

const Depth = (description: string) =>
  Type.Object(
    {
      blocks: Type.Union([Type.Integer(), Type.Null()], {
        description: 'So many blocks under the newest one; null where a tag says it.',
        examples: [12],
      }),
      tag: Type.Union(
        [Type.Enum(['safe', 'finalized'] as const, { type: 'string' }), Type.Null()],
        {
          description: "The tag of the network's own nodes; null where blocks are counted.",
        },
      ),
    },
    { description },
  );

export const NetworkListing = Type.Object(
  {
    network: Type.Enum(NETWORKS, { type: 'string', examples: ['BASE'] }),
    chainId: Type.Integer({ description: 'EIP-155.', examples: [8453] }),
    assets: Type.Array(
      Type.Object({
        asset: Type.String({ examples: ['USDC'] }),
        contract: Type.String({
          description: 'The token; one of another contract is another token.',
          examples: ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
        }),
        min: AmountText('The smallest payment.'),
        max: AmountText('The largest payment.'),
      }),
    ),
    confirmations: Type.Object({
      credit: Depth('How deep a transfer lies that counts, up to 10,000 units of the asset.'),
      creditAbove: Depth('The same above.'),
      final: Depth('How deep a transfer lies that cannot be undone.'),
    }),
    status: Type.Enum(NETWORK_STATUSES, {
      type: 'string',
      description: 'PAUSED: nothing new goes over it now.',
      examples: ['ACTIVE'],
    }),
  },
  { title: 'Network', description: 'A network that tokens are sent over.' },
);
