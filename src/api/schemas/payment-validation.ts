import { Type } from 'typebox';
import { AmountText, RateText, Timestamp, Unit } from './common.ts';
import { Corridor } from './corridor.ts';
import { Problem } from './error.ts';
import { ExpectedArrival } from './expected-arrival.ts';
import { Fee } from './fee.ts';
import { orNull } from './or-null.ts';

const closed = { additionalProperties: false } as const;

const money = (description: string) =>
  Type.Object(
    {
      ...Unit('The currency or asset of the amount.'),
      amount: AmountText('The amount, in major units.'),
    },
    { ...closed, description },
  );

const Cost = Type.Object(
  {
    source: money(
      'The amount that the balance pays, including all fees, as in `source` of a payment.',
    ),
    withoutFees: money(
      'The part of `source` without fees. It is paid to the beneficiary or converted.',
    ),
    fees: Type.Array(Fee),
    rate: orNull(
      RateText('The number of target units for one unit of the source.'),
      'Null if there is no conversion.',
    ),
    rateHeldUntil: orNull(
      Timestamp(
        'The time until which the rate would be held if you sent the payment now. Null if there is no conversion.',
      ),
    ),
    requoteUntil: orNull(
      Timestamp(
        'The time until which the payment would be priced anew after `rateHeldUntil`. Null without `onQuoteExpiry` REQUOTE.',
      ),
    ),
    quoteId: orNull(
      Type.String(),
      'The id of the quote that fixes the cost. Null if the payment names no quote.',
    ),
    indicative: Type.Boolean({
      description: 'Whether the actual cost may differ because no quote locks the rate.',
    }),
  },
  closed,
);

const { country, currency, rail, status, cutOff } = Corridor.properties;

export const PaymentValidation = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether `POST /payments` would accept the payment now.' }),
    problems: Type.Array(Problem, {
      description: 'All problems of the payment. Empty if the payment is valid.',
    }),
    cost: orNull(
      Cost,
      'The cost of the payment. Null if the request has no amount that can be paid to the account.',
    ),
    corridor: orNull(
      Type.Object({ country, currency, rail, status, cutOff }, closed),
      'The corridor of the payment. Null if the account is not yours, if no corridor reaches it, or if the payment goes to a wallet.',
    ),
    expectedArrival: ExpectedArrival(
      'The time by which the beneficiary is credited if the payment is sent now.',
      [],
    ),
  },
  {
    title: 'PaymentValidation',
    ...closed,
    description: 'The result of a payment check. No payment is made.',
  },
);
