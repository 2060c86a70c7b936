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
  ...Unit('What the balance is in.'),
  date: DayText('The day, by UTC.'),
  openingBalance: AmountText(
    'All that you had when the day began: closingBalance of the day before.',
  ),
  closingBalance: AmountText('openingBalance and every entry.'),
  closing: Type.Object(
    {
      available: AmountText('Could be paid out.'),
      reserved: AmountText('Was held for payments.'),
      pending: AmountText('Was on its way in.'),
      receivable: AmountText('What you owed, negative.'),
    },
    { additionalProperties: false, description: 'What closingBalance was made of.' },
  ),
  closedAt: Timestamp('When the end of the day was decided.'),
};

export const BalanceStatementSummary = Type.Object(summary, {
  title: 'BalanceStatementSummary',
  additionalProperties: false,
  description: 'A day in one currency or asset. It never changes.',
});

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const StatementEntry = Type.Object(
  {
    id: Type.String({ description: 'The (first) balance transaction that it is made of.' }),
    type: BalanceTransactionType,
    description: Type.String({ description: 'For people; it may change.' }),
    amount: AmountText('Negative for what went out.'),
    balanceAfter: AmountText('All that you had behind it.'),
    paymentId: nullable('The payment that it is of.'),
    externalId: nullable('Your id of the payment.'),
    reference: nullable("The payment's END_TO_END_ID: what the bank's own statement names."),
    bookedAt: Timestamp('When it was booked.'),
  },
  { title: 'BalanceStatementEntry', additionalProperties: false, description: 'One booking.' },
);

export const BalanceStatement = Type.Object(
  {
    ...summary,
    entries: Type.Array(StatementEntry),
    entryCount: Type.Integer({ description: 'How many they are.' }),
    totalCredits: AmountText('The sum of those that came in.'),
    totalDebits: AmountText('The sum of those that went out, negative.'),
  },
  {
    title: 'BalanceStatement',
    additionalProperties: false,
    description: 'A day in one currency, entry by entry. It never changes.',
  },
);
