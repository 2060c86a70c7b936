import { Type } from 'typebox';
import { NO_ARRIVAL_REASONS } from '../../domain/payments/corridors/arrival.ts';
import { AmountText, RateText, Timestamp, Unit } from './common.ts';
import { Corridor } from './corridor.ts';
import { Problem } from './error.ts';
import { Fee } from './fee.ts';
import { orNull } from './or-null.ts';

const closed = { additionalProperties: false } as const;

const money = (description: string) =>
  Type.Object(
    { ...Unit('What the amount is in.'), amount: AmountText('Major units.') },
    { ...closed, description },
  );

const Cost = Type.Object(
  {
    source: money(
      'What is taken from the balance: every fee is in it, as in `source` of a payment.',
    ),
    withoutFees: money('What of it pays the beneficiary, or is converted to.'),
    fees: Type.Array(Fee),
    rate: orNull(
      RateText('What arrives for one unit of the source.'),
      'Null: nothing is converted.',
    ),
    quoteId: orNull(
      Type.String(),
      'The quote that fixes the cost; null where the payment names none.',
    ),
    indicative: Type.Boolean({
      description: 'Whether the payment may cost another amount, because no quote holds the rate.',
    }),
  },
  closed,
);

const { country, currency, rail, status, cutOff } = Corridor.properties;

export const PaymentValidation = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether POST /payments would accept it now.' }),
    problems: Type.Array(Problem, { description: 'All that is in its way; empty where valid.' }),
    cost: orNull(Cost, 'Null where the order names no amount that the account can be paid.'),
    corridor: orNull(
      Type.Object({ country, currency, rail, status, cutOff }, closed),
      'The way that it would take; null where the account is not yours or none leads there, and to a wallet.',
    ),
    expectedArrival: Type.Object(
      {
        at: orNull(
          Timestamp('By when the beneficiary has it, if it left now.'),
          'Null where no source states it.',
        ),
        reason: orNull(
          Type.Enum([...NO_ARRIVAL_REASONS, 'AWAITS_DEPOSIT', 'CORRIDOR_UNAVAILABLE'] as const, {
            type: 'string',
          }),
          'Why `at` is null. More values may come.',
        ),
      },
      closed,
    ),
  },
  {
    title: 'PaymentValidation',
    ...closed,
    description: 'What would become of a payment if it were made now.',
  },
);
