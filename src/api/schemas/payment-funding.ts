import { Type } from 'typebox';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { AmountText, AssetCode, Timestamp } from './common.ts';
import { assetInput } from './payment-destination.ts';
import { orNull } from './or-null.ts';

const FUNDING_TYPES = ['BALANCE', 'CRYPTO_DEPOSIT'] as const;

const FundingType = Type.Enum(FUNDING_TYPES, {
  title: 'FundingType',
  type: 'string',
  description:
    'The source of the funds. BALANCE: your balance pays immediately. CRYPTO_DEPOSIT: tokens sent to an address for this payment pay for it, after they are credited.',
  examples: ['CRYPTO_DEPOSIT'],
});

/** A field that cannot be there. */
const NONE = { not: {} };

export const NewFunding = Type.Object(
  {
    type: FundingType,
    asset: Type.Optional(
      assetInput(
        'For CRYPTO_DEPOSIT: the asset of the deposit, one that `GET /networks` lists for the network. It is also the source asset of the payment.',
      ),
    ),
    network: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2,20}$',
        'x-error': { pattern: 'unsupported_network' },
        description: `For CRYPTO_DEPOSIT: the network of the deposit, one that \`GET /networks\` lists: ${NETWORKS.join(', ')}.`,
        examples: ['BASE'],
      }),
    ),
    refundWalletId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'For CRYPTO_DEPOSIT: the id of an ACTIVE wallet of the end-user or of your own company, on a network that lists the asset. After a deposit is FINAL, the part of it that the payment does not use is refunded to this wallet, minus fees. Default: that part stays in your balance.',
        examples: ['wal_01k6b7q0e8f1htx9n3r5p7v2ab'],
      }),
    ),
  },
  {
    title: 'NewFunding',
    additionalProperties: false,
    description: 'The funding of the payment. Default: your balance.',
    if: {
      properties: { type: { type: 'string', const: 'CRYPTO_DEPOSIT' } },
      required: ['type'],
    },
    then: { required: ['asset', 'network'], properties: { asset: {}, network: {} } },
    else: { properties: { asset: NONE, network: NONE, refundWalletId: NONE } },
  },
);

export const Funding = Type.Object(
  {
    type: FundingType,
    asset: orNull(AssetCode('The code of the asset to send.')),
    network: orNull(
      Type.String({ description: 'The network to use for the deposit.', examples: ['BASE'] }),
    ),
    address: orNull(
      Type.String({
        description:
          'The address to send the deposit to. It belongs to this payment only. Late deposits and excess amounts are credited to your balance.',
        examples: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
      }),
    ),
    amountDue: orNull(
      AmountText(
        'The total amount to send, in major units, including fees. You can send it in several deposits.',
      ),
    ),
    amountReceived: orNull(
      AmountText('The credited amount that counts toward the payment, in major units.'),
    ),
    expiresAt: orNull(
      Timestamp(
        'The deadline for deposits. The timestamp of the block that contains the deposit decides, even if the deposit is confirmed later.',
      ),
    ),
    refundWalletId: orNull(
      Type.String({
        description:
          'The id of the wallet that receives refunds: late deposits, excess amounts, partial deposits of a payment that expired, and deposits of another asset or network. Null if these stay in your balance.',
        examples: ['wal_01k6b7q0e8f1htx9n3r5p7v2ab'],
      }),
    ),
  },
  {
    title: 'Funding',
    additionalProperties: false,
    description: 'The funding of the payment. For BALANCE, all fields except `type` are null.',
  },
);
