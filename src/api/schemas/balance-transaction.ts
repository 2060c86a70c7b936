import { Type } from 'typebox';
import { BALANCES, BALANCE_TRANSACTION_TYPES } from '../../domain/ledger/balance-transaction.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment-kind.ts';
import { AmountText, Unit, Timestamp } from './common.ts';

export const BalanceTransactionType = Type.Enum([...BALANCE_TRANSACTION_TYPES], {
  type: 'string',
  description: 'What it is for. More may come.',
  examples: ['PAYMENT_HOLD'],
});

export const BalanceName = Type.Enum(BALANCES, {
  type: 'string',
  description:
    'The balance that moves: AVAILABLE can be paid out, RESERVED is held for payments, PENDING is on its way in, RECEIVABLE is what you owe.',
  examples: ['AVAILABLE'],
});

export const BalanceTransaction = Type.Object(
  {
    id: Type.String({ examples: ['btx_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    type: BalanceTransactionType,
    balance: BalanceName,
    ...Unit('What the balance is in.'),
    amount: AmountText('What it adds to the balance; negative where it takes.'),
    balanceAfter: AmountText('The same balance behind it.'),
    source: Type.Union(
      [
        Type.Object(
          {
            type: Type.Enum(['payment'] as const, {
              type: 'string',
              description: 'More may come.',
            }),
            id: Type.String({ examples: ['pay_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
            kind: Type.Enum(PAYMENT_KINDS, {
              type: 'string',
              description: 'WITHDRAWAL: to an account of your own company.',
              examples: ['PAYOUT'],
            }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'What moved it; null for money that came in.' },
    ),
    externalId: Type.Union([Type.String(), Type.Null()], {
      description: 'The externalId of the payment.',
    }),
    description: Type.String({ description: 'For people; it may change.' }),
    createdAt: Timestamp('When it was booked. The order is that of the list, not of this.'),
  },
  {
    title: 'BalanceTransaction',
    additionalProperties: false,
    description: 'One change of one balance. It never changes.',
  },
);
