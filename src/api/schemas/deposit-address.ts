import { Type } from 'typebox';
import { DEPOSIT_ADDRESS_STATUSES } from '../../db/parties/deposit-address-store.ts';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { AmountInput, AmountText, AssetCode, Timestamp } from './common.ts';

const givenId = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description, examples: [example] }));

const ownId = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });

export const DepositAddressStatus = Type.Enum(DEPOSIT_ADDRESS_STATUSES, {
  type: 'string',
  description: 'What comes to a DISABLED address stays in the balance.',
  examples: ['ACTIVE'],
});

export const NewDepositAddress = Type.Object(
  {
    endUserId: givenId(
      'For whom. Required with bankAccountId or walletId. Left out with neither: your own.',
      'eu_01k6b7q0e8f1htx9n3r5p7v2ab',
    ),
    bankAccountId: givenId(
      'An account of the end-user that each deposit is paid on to.',
      'ba_01k6b7q0e8f1htx9n3r5p7v2ab',
    ),
    walletId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'A wallet of the end-user, or your own, in the place of an account. Neither: what comes stays in the balance.',
      }),
    ),
    minAmount: Type.Optional(
      AmountInput(
        'A smaller deposit is not paid on. Of whatever asset comes, up to 6 decimals. Left out: each one is.',
      ),
    ),
  },
  {
    title: 'NewDepositAddress',
    additionalProperties: false,
    description: 'An address that takes deposits. Cannot be changed later.',
  },
);

export const DepositAddress = Type.Object(
  {
    id: Type.String({ examples: ['da_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    endUserId: ownId('For whom; null: your own.', 'eu_01k6b7q0e8f1htx9n3r5p7v2ab'),
    bankAccountId: ownId('Where deposits are paid on to.', 'ba_01k6b7q0e8f1htx9n3r5p7v2ab'),
    walletId: ownId('The same, of a wallet.', 'wal_01k6b7q0e8f1htx9n3r5p7v2ab'),
    minAmount: AmountText('A smaller deposit is not paid on, in units of whatever asset comes.'),
    address: Type.String({
      description: "The same on every network, with EIP-55's checksum.",
      examples: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    }),
    networks: Type.Array(
      Type.Object(
        {
          network: Type.Enum(NETWORKS, { type: 'string', examples: ['BASE'] }),
          assets: Type.Array(AssetCode('A token that is taken there.')),
        },
        { title: 'ReceivingNetwork', additionalProperties: false },
      ),
      { description: 'What it takes, and where. Nothing else that is sent there is seen.' },
    ),
    status: DepositAddressStatus,
    version: Type.Integer({ minimum: 1, description: 'Goes up by one with every change.' }),
    createdAt: Timestamp('When it was made.'),
    updatedAt: Timestamp('When it last changed.'),
  },
  {
    title: 'DepositAddress',
    additionalProperties: false,
    description: 'An address that takes deposits for as long as it stands.',
  },
);
