import { Type } from 'typebox';
import { CORRIDOR_TERMS, WEEKDAYS } from '../../domain/payments/corridors/corridor.ts';
import { RAILS } from '../../domain/payments/corridors/rail.ts';
import { AmountText, CurrencyCode } from './common.ts';
import { CountryCode } from './person.ts';
import { orNull } from './or-null.ts';

const closed = { additionalProperties: false } as const;

const CutOff = Type.Object(
  {
    time: Type.String({ description: 'The local time of day, as HH:MM.', examples: ['16:45'] }),
    timeZone: Type.String({
      description: 'The IANA name of the time zone.',
      examples: ['America/New_York'],
    }),
  },
  { title: 'CutOff', ...closed },
);

const Holidays = Type.Object(
  {
    calendar: orNull(
      Type.String({ examples: ['TARGET'] }),
      'The name of the holiday calendar. Null if the operator of the service sets the days.',
    ),
    closedWeekdays: Type.Array(
      Type.Enum(WEEKDAYS, { title: 'Weekday', type: 'string', examples: ['SAT'] }),
    ),
    dates: Type.Array(Type.String({ format: 'date', examples: ['2026-12-25'] })),
  },
  { title: 'Holidays', ...closed },
);

const Basis = orNull(
  Type.Object(
    {
      kind: Type.Enum(['SOURCE', 'DEFAULT', 'OPERATOR'] as const, {
        type: 'string',
        description:
          'The kind of the source. SOURCE: a published document. DEFAULT: a default of the product. OPERATOR: a setting of the operator of the service.',
        examples: ['SOURCE'],
      }),
      title: Type.Optional(Type.String({ description: 'The title of the document.' })),
      date: Type.Optional(
        Type.String({
          description:
            'The date of the document, or a date on which it was valid: YYYY, YYYY-MM, or YYYY-MM-DD.',
          examples: ['2025-10-05'],
        }),
      ),
    },
    { title: 'CorridorTermSource', ...closed },
  ),
  'The source of a value. Null if no source states the value.',
);

export const CorridorStatus = Type.Enum(['ACTIVE', 'SUSPENDED'] as const, {
  title: 'CorridorStatus',
  type: 'string',
  description:
    'The status of the corridor. Payments are accepted and sent only while it is ACTIVE.',
  examples: ['ACTIVE'],
});

export const Corridor = Type.Object(
  {
    country: CountryCode('A two-letter ISO 3166-1 country code.'),
    currency: CurrencyCode('A three-letter ISO 4217 currency code.'),
    rail: Type.Enum(RAILS, { title: 'Rail', type: 'string', examples: ['SEPA'] }),
    isDefault: Type.Boolean({
      description: 'Whether a new bank account uses this rail if it names no rail.',
    }),
    min: orNull(
      AmountText('The minimum amount of a payment, in major units.'),
      'Null if no limit is known.',
    ),
    max: orNull(
      AmountText('The maximum amount of a payment, in major units.'),
      'Null if no limit is known.',
    ),
    cutOff: orNull(
      CutOff,
      'The cut-off time. A payment released later leaves on the next banking day. If null with a source, the rail has no cut-off. If null without a source, the cut-off is not known.',
    ),
    holidays: orNull(
      Holidays,
      'The days without settlement in this year and the next. If null with a source, the rail settles every day. If null without a source, the days are not known.',
    ),
    settlementDays: orNull(
      Type.Integer({ examples: [1] }),
      'The number of banking days after the day of sending by which the beneficiary is credited. Null if not known.',
    ),
    returnWindowDays: orNull(
      Type.Integer({ examples: [3] }),
      "The number of banking days within which the beneficiary's bank may return a payment. Null if not known.",
    ),
    returnsMayBeDeducted: Type.Boolean({
      description: 'Whether banks may deduct charges from returned funds.',
    }),
    status: CorridorStatus,
    sources: Type.Object(
      Object.fromEntries(CORRIDOR_TERMS.map((term) => [term, Basis])) as Record<
        (typeof CORRIDOR_TERMS)[number],
        typeof Basis
      >,
      { ...closed, description: 'The source of each value.' },
    ),
  },
  { title: 'Corridor', ...closed },
);
