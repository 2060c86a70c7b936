import { Type } from 'typebox';
import { BALANCES, BALANCE_TRANSACTION_TYPES } from '../../domain/ledger/balance-transaction.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment-kind.ts';
import { AmountText, Unit, Timestamp } from './common.ts';

export const BalanceTransactionType = Type.Enum([...BALANCE_TRANSACTION_TYPES], {
  title: 'BalanceTransactionType',
  type: 'string',
  description: 'The type of the transaction. More values may be added.',
  examples: ['PAYMENT_HOLD'],
});

export const BalanceName = Type.Enum(BALANCES, {
  title: 'BalanceName',
  type: 'string',
  description:
    'The balance that changes. AVAILABLE: funds that you can pay out. RESERVED: funds held for payments. PENDING: incoming funds that are not available yet. RECEIVABLE: the amount that you owe.',
  examples: ['AVAILABLE'],
});

export const BalanceTransaction = Type.Object(
  {
    id: Type.String({ examples: ['btx_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    type: BalanceTransactionType,
    balance: BalanceName,
    ...Unit('The currency or asset of the balance.'),
    amount: AmountText('The change of the balance, in major units. Negative for a decrease.'),
    balanceAfter: AmountText('The balance after the transaction, in major units.'),
    source: Type.Union(
      [
        Type.Object(
          {
            type: Type.Enum(['payment'] as const, {
              type: 'string',
              description: 'The type of the source. More values may be added.',
            }),
            id: Type.String({ examples: ['pay_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
            kind: Type.Enum(PAYMENT_KINDS, {
              title: 'PaymentKind',
              type: 'string',
              description:
                'The kind of the payment. WITHDRAWAL: a payment to a bank account of your own company.',
              examples: ['PAYOUT'],
            }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The resource that caused the transaction. Null for incoming funds.' },
    ),
    externalId: Type.Union([Type.String(), Type.Null()], {
      description: 'The `externalId` of the payment.',
    }),
    description: Type.String({ description: 'A description for people. The text may change.' }),
    createdAt: Timestamp(
      'The time at which the transaction was booked. Use the order of the list, not this time, to order transactions.',
    ),
  },
  {
    title: 'BalanceTransaction',
    additionalProperties: false,
    description: 'A single change of one balance. Transactions are immutable.',
  },
);
