import { Type } from 'typebox';
import { DEPOSIT_ADDRESS_STATUSES } from '../../db/parties/deposit-address-store.ts';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { AmountInput, AmountText, AssetCode, Timestamp } from './common.ts';

const givenId = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description, examples: [example] }));

const ownId = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });

export const DepositAddressStatus = Type.Enum(DEPOSIT_ADDRESS_STATUSES, {
  title: 'DepositAddressStatus',
  type: 'string',
  description:
    'The status of the address. Deposits to a DISABLED address are credited to your balance but not paid on.',
  examples: ['ACTIVE'],
});

export const NewDepositAddress = Type.Object(
  {
    endUserId: givenId(
      'The id of the end-user that the address is for. Required with `bankAccountId` or `walletId`. Default: your own company.',
      'eu_01k6b7q0e8f1htx9n3r5p7v2ab',
    ),
    bankAccountId: givenId(
      'The id of a bank account of the end-user that receives each deposit.',
      'ba_01k6b7q0e8f1htx9n3r5p7v2ab',
    ),
    walletId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'The id of a wallet of the end-user or of your own company that receives each deposit, instead of `bankAccountId`. If you name neither, deposits stay in your balance.',
      }),
    ),
    minAmount: Type.Optional(
      AmountInput(
        'The minimum amount of a deposit that is paid on, in units of the deposited asset, with up to 6 decimals. Default: every deposit is paid on.',
      ),
    ),
  },
  {
    title: 'NewDepositAddress',
    additionalProperties: false,
    description: 'An address that receives deposits. You cannot change it later.',
  },
);

export const DepositAddress = Type.Object(
  {
    id: Type.String({ examples: ['da_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    endUserId: ownId(
      'The id of the end-user that the address is for. Null for your own company.',
      'eu_01k6b7q0e8f1htx9n3r5p7v2ab',
    ),
    bankAccountId: ownId(
      'The id of the bank account that receives each deposit. Null if deposits are not paid on to a bank account.',
      'ba_01k6b7q0e8f1htx9n3r5p7v2ab',
    ),
    walletId: ownId(
      'The id of the wallet that receives each deposit. Null if deposits are not paid on to a wallet.',
      'wal_01k6b7q0e8f1htx9n3r5p7v2ab',
    ),
    minAmount: AmountText(
      'The minimum amount of a deposit that is paid on, in units of the deposited asset.',
    ),
    address: Type.String({
      description: 'The address with its EIP-55 checksum. It is the same on every network.',
      examples: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    }),
    networks: Type.Array(
      Type.Object(
        {
          network: Type.Enum(NETWORKS, {
            title: 'NetworkName',
            type: 'string',
            examples: ['BASE'],
          }),
          assets: Type.Array(AssetCode('The code of an accepted token.')),
        },
        { title: 'ReceivingNetwork', additionalProperties: false },
      ),
      {
        description:
          'The networks and tokens that the address accepts. Other tokens sent to the address are not detected.',
      },
    ),
    status: DepositAddressStatus,
    version: Type.Integer({
      minimum: 1,
      description: 'The version of the resource. It increases by one with every change.',
    }),
    createdAt: Timestamp('The time at which the resource was created.'),
    updatedAt: Timestamp('The time of the last change.'),
  },
  {
    title: 'DepositAddress',
    additionalProperties: false,
    description: 'A permanent address that receives deposits.',
  },
);
