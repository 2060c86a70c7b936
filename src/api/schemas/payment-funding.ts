import { Type } from 'typebox';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { AmountText, AssetCode, Timestamp } from './common.ts';
import { assetInput } from './payment-destination.ts';
import { orNull } from './or-null.ts';

const FUNDING_TYPES = ['BALANCE', 'CRYPTO_DEPOSIT'] as const;

const FundingType = Type.Enum(FUNDING_TYPES, {
  type: 'string',
  description:
    'BALANCE: the balance pays, at once. CRYPTO_DEPOSIT: what is sent to an address of its own pays, once it is there.',
  examples: ['CRYPTO_DEPOSIT'],
});

/** A field that cannot be there. */
const NONE = { not: {} };

export const NewFunding = Type.Object(
  {
    type: FundingType,
    asset: Type.Optional(
      assetInput(
        'Of CRYPTO_DEPOSIT: what is sent, as `GET /networks` lists it for the network. It is the source of the payment.',
      ),
    ),
    network: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2,20}$',
        'x-error': { pattern: 'unsupported_network' },
        description: `Of CRYPTO_DEPOSIT: over which it is sent. One of GET /networks: ${NETWORKS.join(', ')}.`,
        examples: ['BASE'],
      }),
    ),
    refundWalletId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Of CRYPTO_DEPOSIT: an ACTIVE wallet of the end-user, or your own, on a network that lists the asset. What the payment does not take of a deposit is refunded to it once the deposit is FINAL, less the fees. Left out: it stays in the balance.',
        examples: ['wal_01k6b7q0e8f1htx9n3r5p7v2ab'],
      }),
    ),
  },
  {
    title: 'NewFunding',
    additionalProperties: false,
    description: 'What pays for the payment. Left out: the balance.',
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
    asset: orNull(AssetCode('What is to be sent.')),
    network: orNull(
      Type.String({ description: 'Over which it is to be sent.', examples: ['BASE'] }),
    ),
    address: orNull(
      Type.String({
        description:
          'Where it is to be sent: for this payment alone. What comes late, or is more than is due, goes to the balance.',
        examples: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
      }),
    ),
    amountDue: orNull(
      AmountText('All that is to be sent, fees included; in one deposit or several.'),
    ),
    amountReceived: orNull(AmountText('What is there and counts for the payment.')),
    expiresAt: orNull(
      Timestamp(
        'A deposit is in time whose block has no later timestamp, however late it confirms.',
      ),
    ),
    refundWalletId: orNull(
      Type.String({
        description:
          'To where what the payment does not take is refunded: what is late, too much, too little in time, or of another asset or network. Null: it stays in the balance.',
        examples: ['wal_01k6b7q0e8f1htx9n3r5p7v2ab'],
      }),
    ),
  },
  {
    title: 'Funding',
    additionalProperties: false,
    description: 'What pays for the payment. Of BALANCE all but the type is null.',
  },
);
