import { Type } from 'typebox';
import { NETWORKS } from '../../domain/onchain/network.ts';
import {
  APPLIED_TO,
  DEPOSIT_REASONS,
  DEPOSIT_STATUSES,
} from '../../domain/onchain/deposits/deposit.ts';
import { AmountInput, AmountText, AssetCode, Timestamp } from './common.ts';

const SAMPLE_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

export const Deposit = Type.Object(
  {
    id: Type.String({ examples: ['dep_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    network: Type.Enum(NETWORKS, { title: 'NetworkName', type: 'string', examples: ['BASE'] }),
    asset: AssetCode('The code of the received asset.'),
    amount: AmountText('The received amount, in major units.'),
    from: Type.String({
      description:
        'The address of the sender. It often belongs to an exchange: do not send refunds to it.',
      examples: [SAMPLE_ADDRESS],
    }),
    address: Type.String({
      description: 'The address that received the deposit.',
      examples: [SAMPLE_ADDRESS],
    }),
    txHash: Type.String({ pattern: '^0x[0-9a-f]{64}$', examples: [`0x${'5c'.repeat(32)}`] }),
    confirmations: Type.Object(
      {
        have: Type.Integer({
          minimum: 0,
          description: 'The number of blocks above the block of the deposit.',
        }),
        need: Type.Union([Type.Integer(), Type.Null()], {
          description:
            'The number of blocks required to credit the deposit. While the deposit is SEEN, the number depends on the sum of your recent deposits. Null if a block tag decides (see `GET /networks`).',
        }),
      },
      { title: 'Confirmations', additionalProperties: false },
    ),
    status: Type.Enum(DEPOSIT_STATUSES, {
      title: 'DepositStatus',
      type: 'string',
      description:
        'The status of the deposit. SEEN: a block contains the transfer. CREDITED: the deposit is credited. FINAL: the deposit cannot be reversed. ORPHANED: the block was removed from the chain, and the transfer may be mined again. BLOCKED: the sender is on a sanctions list. KEPT: the deposit is blocked permanently.',
      examples: ['CREDITED'],
    }),
    appliedTo: Type.Union(
      [Type.Enum(APPLIED_TO, { title: 'DepositUse', type: 'string' }), Type.Null()],
      {
        description: 'Where the deposit was credited. Null while it is not credited.',
        examples: ['PAYMENT'],
      },
    ),
    reason: Type.Union(
      [Type.Enum(DEPOSIT_REASONS, { title: 'DepositReason', type: 'string' }), Type.Null()],
      {
        description:
          'The reason why the deposit, or a part of it, was credited to your balance instead of its payment. Null if it was not.',
      },
    ),
    paymentId: Type.Union([Type.String(), Type.Null()], {
      description: 'The id of the payment that the address belongs to. Null for a deposit address.',
      examples: ['pay_01k6b7q0e8f1htx9n3r5p7v2ab'],
    }),
    depositAddressId: Type.Union([Type.String(), Type.Null()], {
      description: 'The id of the deposit address. Null for the address of a payment.',
      examples: ['da_01k6b7q0e8f1htx9n3r5p7v2ab'],
    }),
    onward: Type.Union(
      [
        Type.Object(
          {
            paymentId: Type.Union([Type.String(), Type.Null()], {
              description: 'The id of the payment that pays the deposit on or refunds the excess.',
              examples: ['pay_01k6b7q0e8f1htx9n3r5p7v2ab'],
            }),
            code: Type.Union([Type.String(), Type.Null()], {
              description:
                'The error code if no payment was made: a code of `POST /payments`, or `deposit_address_disabled`.',
              examples: ['kyc_not_approved'],
            }),
          },
          { title: 'DepositOnward', additionalProperties: false },
        ),
        Type.Null(),
      ],
      {
        description:
          'The result of paying the deposit on or of refunding the excess. It is set soon after the deposit is FINAL. Null before that, or if neither is requested.',
      },
    ),
    minedAt: Timestamp(
      'The timestamp of the block that contains the deposit, or that last contained it.',
    ),
    version: Type.Integer({
      minimum: 1,
      description: 'The version of the resource. It increases by one with every change.',
    }),
    createdAt: Timestamp('The time at which the deposit was first seen.'),
    updatedAt: Timestamp('The time of the last change.'),
  },
  {
    title: 'Deposit',
    additionalProperties: false,
    description: 'Tokens received at one of your addresses.',
  },
);

export const NewDepositRefund = Type.Object(
  {
    walletId: Type.String({
      minLength: 1,
      maxLength: 100,
      description: "The id of an ACTIVE wallet of the deposit's end-user or of your own company.",
      examples: ['wal_01k6b7q0e8f1htx9n3r5p7v2ab'],
    }),
    amount: Type.Optional(
      AmountInput(
        'The amount that the wallet receives, in the asset of the deposit. Default: the amount that is not refunded yet.',
      ),
    ),
    endUserId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'The id of the end-user on whose behalf the refund is paid. Required only if neither the deposit nor the wallet belongs to an end-user.',
      }),
    ),
  },
  {
    title: 'NewDepositRefund',
    additionalProperties: false,
    description: 'The amount and the destination of a refund.',
  },
);
