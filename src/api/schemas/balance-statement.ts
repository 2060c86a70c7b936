import { Type } from 'typebox';
import { BalanceTransactionType } from './balance-transaction.ts';
import { AmountText, Timestamp, Unit } from './common.ts';

/** A day that a filter or a path names. `readDay` reads it. */
export const DayText = (description: string) =>
  Type.String({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    description,
    examples: ['2026-11-21'],
  });

const summary = {
  ...Unit('The currency or asset of the balance.'),
  date: DayText('The day of the statement, in UTC (YYYY-MM-DD).'),
  openingBalance: AmountText(
    'The total balance at the start of the day, in major units. Equals the `closingBalance` of the previous day.',
  ),
  closingBalance: AmountText(
    'The total balance at the end of the day, in major units: `openingBalance` plus the amounts of all entries.',
  ),
  closing: Type.Object(
    {
      available: AmountText('The funds that you could pay out, in major units.'),
      reserved: AmountText('The funds held for payments, in major units.'),
      pending: AmountText('The incoming funds that were not available yet, in major units.'),
      receivable: AmountText('The amount that you owed, in major units. Zero or negative.'),
    },
    {
      title: 'ClosingBalances',
      additionalProperties: false,
      description: 'The parts of `closingBalance`.',
    },
  ),
  closedAt: Timestamp('The time at which the day was closed.'),
};

export const BalanceStatementSummary = Type.Object(summary, {
  title: 'BalanceStatementSummary',
  additionalProperties: false,
  description:
    'The statement of one day in one currency or asset, without its entries. Statements are immutable.',
});

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const StatementEntry = Type.Object(
  {
    id: Type.String({
      description:
        'The id of the balance transaction. If the entry combines several transactions, the id of the first one.',
    }),
    type: BalanceTransactionType,
    description: Type.String({ description: 'A description for people. The text may change.' }),
    amount: AmountText('The amount of the entry, in major units. Negative for outgoing funds.'),
    balanceAfter: AmountText('The total balance after the entry, in major units.'),
    paymentId: nullable('The id of the payment. Null if no payment caused the entry.'),
    externalId: nullable('Your own id for the payment.'),
    reference: nullable(
      "The END_TO_END_ID of the payment, which also appears on the bank's statement.",
    ),
    bookedAt: Timestamp('The time at which the entry was booked.'),
  },
  {
    title: 'BalanceStatementEntry',
    additionalProperties: false,
    description: 'A booking of the day.',
  },
);

export const BalanceStatement = Type.Object(
  {
    ...summary,
    entries: Type.Array(StatementEntry),
    entryCount: Type.Integer({ description: 'The number of entries.' }),
    totalCredits: AmountText('The sum of all incoming entries, in major units.'),
    totalDebits: AmountText('The sum of all outgoing entries, in major units. Zero or negative.'),
  },
  {
    title: 'BalanceStatement',
    additionalProperties: false,
    description:
      'The statement of one day in one currency or asset, with all its entries. Statements are immutable.',
  },
);
