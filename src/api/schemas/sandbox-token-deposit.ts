import { Type } from 'typebox';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { AmountInput, AmountText, AssetCode, Timestamp } from './common.ts';

const Address = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    'A deposit address of yours, or that of a payment which waits for tokens: `0x` and 40 hexadecimal digits.',
  examples: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
});

export const NewSandboxTokenDeposit = Type.Object(
  {
    address: Address,
    network: Type.String({
      pattern: '^[A-Z]{2,20}$',
      'x-error': { pattern: 'unsupported_network' },
      description: 'One of GET /networks.',
      examples: ['BASE'],
    }),
    asset: Type.String({
      pattern: '^[A-Z]{4}$',
      'x-error': { pattern: 'unsupported_asset' },
      description: 'A token that the network lists.',
      examples: ['USDC'],
    }),
    amount: AmountInput('What is sent.'),
  },
  { title: 'NewSandboxTokenDeposit', additionalProperties: false },
);

export const SandboxTokenDeposit = Type.Object(
  {
    network: Type.Enum(NETWORKS, { type: 'string', examples: ['BASE'] }),
    asset: AssetCode('What is sent.'),
    address: Address,
    amount: AmountText('How much of it.'),
    txHash: Type.String({ pattern: '^0x[0-9a-f]{64}$', examples: [`0x${'5c'.repeat(32)}`] }),
    createdAt: Timestamp('When it was asked for.'),
  },
  { title: 'SandboxTokenDeposit', additionalProperties: false },
);
