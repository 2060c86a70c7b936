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
    network: Type.Enum(NETWORKS, { type: 'string', examples: ['BASE'] }),
    asset: AssetCode('What came.'),
    amount: AmountText('How much came.'),
    from: Type.String({
      description: 'Who sent it. Often an exchange, to which nothing should be sent back.',
      examples: [SAMPLE_ADDRESS],
    }),
    address: Type.String({ description: 'Where it came to.', examples: [SAMPLE_ADDRESS] }),
    txHash: Type.String({ pattern: '^0x[0-9a-f]{64}$', examples: [`0x${'5c'.repeat(32)}`] }),
    confirmations: Type.Object(
      {
        have: Type.Integer({ minimum: 0, description: 'Blocks above the one that holds it.' }),
        need: Type.Union([Type.Integer(), Type.Null()], {
          description:
            "How many it must have to count. Of one that is SEEN, what it waits for: as many as all that came to you lately would need in one deposit. Null where the network's own tag says when it counts: GET /networks.",
        }),
      },
      { title: 'Confirmations', additionalProperties: false },
    ),
    status: Type.Enum(DEPOSIT_STATUSES, {
      type: 'string',
      description:
        'SEEN: a block holds it. CREDITED: it counts. FINAL: it cannot be undone. ORPHANED: its block is gone; it may be mined again. BLOCKED: its sender is on a list. KEPT: it was blocked, and stays so for good.',
      examples: ['CREDITED'],
    }),
    appliedTo: Type.Union([Type.Enum(APPLIED_TO, { type: 'string' }), Type.Null()], {
      description: 'Where it is; null while it does not count.',
      examples: ['PAYMENT'],
    }),
    reason: Type.Union([Type.Enum(DEPOSIT_REASONS, { type: 'string' }), Type.Null()], {
      description:
        'Why it, or what is over of it, is in your balance and not in the payment; null where nothing is.',
    }),
    paymentId: Type.Union([Type.String(), Type.Null()], {
      description: 'The payment that the address was given for.',
      examples: ['pay_01k6b7q0e8f1htx9n3r5p7v2ab'],
    }),
    depositAddressId: Type.Union([Type.String(), Type.Null()], {
      description: 'The standing address.',
      examples: ['da_01k6b7q0e8f1htx9n3r5p7v2ab'],
    }),
    onward: Type.Union(
      [
        Type.Object(
          {
            paymentId: Type.Union([Type.String(), Type.Null()], {
              description: 'The payment that it became, or that refunds what is over of it.',
              examples: ['pay_01k6b7q0e8f1htx9n3r5p7v2ab'],
            }),
            code: Type.Union([Type.String(), Type.Null()], {
              description:
                'Why it became none, as POST /payments would have said it; `deposit_address_disabled`: so was its address.',
              examples: ['kyc_not_approved'],
            }),
          },
          { title: 'DepositOnward', additionalProperties: false },
        ),
        Type.Null(),
      ],
      {
        description:
          'What became of one that its address pays on, or of what its payment refunds; null where neither is asked for, or before it is judged, which is soon after it is FINAL.',
      },
    ),
    minedAt: Timestamp('The time of the block that holds it, or held it last.'),
    version: Type.Integer({ minimum: 1, description: 'Goes up by one with every change.' }),
    createdAt: Timestamp('When it was first seen.'),
    updatedAt: Timestamp('When it last changed.'),
  },
  {
    title: 'Deposit',
    additionalProperties: false,
    description: 'Tokens that came to an address of yours.',
  },
);

export const NewDepositRefund = Type.Object(
  {
    walletId: Type.String({
      minLength: 1,
      maxLength: 100,
      description: "An ACTIVE wallet of the deposit's end-user, or your own.",
      examples: ['wal_01k6b7q0e8f1htx9n3r5p7v2ab'],
    }),
    amount: Type.Optional(
      AmountInput('What arrives, in the asset that came. Left out: all that is left.'),
    ),
    endUserId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          "In whose name it is paid. Needed only where neither the deposit nor the wallet is an end-user's.",
      }),
    ),
  },
  {
    title: 'NewDepositRefund',
    additionalProperties: false,
    description: 'What to give back, and to where.',
  },
);
