import { Type } from 'typebox';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { AmountInput, AmountText, AssetCode, Timestamp } from './common.ts';

const Address = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    'One of your deposit addresses, or the address of a payment that awaits tokens: `0x` and 40 hexadecimal digits.',
  examples: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
});

export const NewSandboxTokenDeposit = Type.Object(
  {
    address: Address,
    network: Type.String({
      pattern: '^[A-Z]{2,20}$',
      'x-error': { pattern: 'unsupported_network' },
      description: 'A network that `GET /networks` lists.',
      examples: ['BASE'],
    }),
    asset: Type.String({
      pattern: '^[A-Z]{4}$',
      'x-error': { pattern: 'unsupported_asset' },
      description: 'The code of a token that the network lists.',
      examples: ['USDC'],
    }),
    amount: AmountInput('The amount to send.'),
  },
  {
    title: 'NewSandboxTokenDeposit',
    additionalProperties: false,
    description: 'A token deposit to simulate.',
  },
);

export const SandboxTokenDeposit = Type.Object(
  {
    network: Type.Enum(NETWORKS, { title: 'NetworkName', type: 'string', examples: ['BASE'] }),
    asset: AssetCode('The amount to send.'),
    address: Address,
    amount: AmountText('The amount sent, in major units.'),
    txHash: Type.String({ pattern: '^0x[0-9a-f]{64}$', examples: [`0x${'5c'.repeat(32)}`] }),
    createdAt: Timestamp('The time of the request.'),
  },
  {
    title: 'SandboxTokenDeposit',
    additionalProperties: false,
    description: 'The simulated token deposit.',
  },
);
