import { Type } from 'typebox';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { NETWORK_STATUSES } from '../../domain/onchain/network-setup.ts';
import { AmountText } from './common.ts';

const Depth = (description: string) =>
  Type.Object(
    {
      blocks: Type.Union([Type.Integer(), Type.Null()], {
        description: 'The required depth below the newest block, in blocks. Null if `tag` decides.',
        examples: [12],
      }),
      tag: Type.Union(
        [Type.Enum(['safe', 'finalized'] as const, { type: 'string' }), Type.Null()],
        {
          description:
            'The block tag that a node of the network must report. Null if `blocks` decides.',
        },
      ),
    },
    { description },
  );

export const NetworkListing = Type.Object(
  {
    network: Type.Enum(NETWORKS, { title: 'NetworkName', type: 'string', examples: ['BASE'] }),
    chainId: Type.Integer({ description: 'EIP-155.', examples: [8453] }),
    assets: Type.Array(
      Type.Object({
        asset: Type.String({ examples: ['USDC'] }),
        contract: Type.String({
          description:
            'The address of the token contract. A token of another contract is another token.',
          examples: ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
        }),
        min: AmountText('The minimum amount of a payment, in major units.'),
        max: AmountText('The maximum amount of a payment, in major units.'),
      }),
    ),
    confirmations: Type.Object({
      credit: Depth('The depth at which a deposit of up to 10,000 units of the asset is credited.'),
      creditAbove: Depth(
        'The depth at which a deposit of more than 10,000 units of the asset is credited.',
      ),
      final: Depth('The depth at which a transfer is final.'),
    }),
    status: Type.Enum(NETWORK_STATUSES, {
      title: 'NetworkStatus',
      type: 'string',
      description: 'The status of the network. PAUSED: no new transfers are sent over the network.',
      examples: ['ACTIVE'],
    }),
  },
  { title: 'Network', description: 'A blockchain network that carries tokens.' },
);
