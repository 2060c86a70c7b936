import { Type } from 'typebox';
import { CORRIDOR_TERMS, WEEKDAYS } from '../../domain/payments/corridors/corridor.ts';
import { RAILS } from '../../domain/payments/corridors/rail.ts';
import { AmountText, CurrencyCode } from './common.ts';
import { CountryCode } from './person.ts';
import { orNull } from './or-null.ts';

const closed = { additionalProperties: false } as const;

const CutOff = Type.Object(
  {
    time: Type.String({ description: 'HH:MM, local time.', examples: ['16:45'] }),
    timeZone: Type.String({ description: 'IANA name.', examples: ['America/New_York'] }),
  },
  closed,
);

const Holidays = Type.Object(
  {
    calendar: orNull(Type.String({ examples: ['TARGET'] }), 'Its name; null for days of our own.'),
    closedWeekdays: Type.Array(Type.Enum(WEEKDAYS, { type: 'string', examples: ['SAT'] })),
    dates: Type.Array(Type.String({ format: 'date', examples: ['2026-12-25'] })),
  },
  closed,
);

const Basis = orNull(
  Type.Object(
    {
      kind: Type.Enum(['SOURCE', 'DEFAULT', 'OPERATOR'] as const, {
        type: 'string',
        description:
          'SOURCE: a document states it. DEFAULT: our own choice. OPERATOR: set by who runs this service.',
        examples: ['SOURCE'],
      }),
      title: Type.Optional(Type.String({ description: 'Of the document.' })),
      date: Type.Optional(
        Type.String({
          description: 'Of the document, or when it was valid: YYYY, YYYY-MM or YYYY-MM-DD.',
          examples: ['2025-10-05'],
        }),
      ),
    },
    closed,
  ),
  'What a value rests on; null where no source states it.',
);

export const CorridorStatus = Type.Enum(['ACTIVE', 'SUSPENDED'] as const, {
  type: 'string',
  description: 'Payments are taken, and leave, only where it is ACTIVE.',
  examples: ['ACTIVE'],
});

export const Corridor = Type.Object(
  {
    country: CountryCode('ISO 3166-1 alpha-2.'),
    currency: CurrencyCode('ISO 4217.'),
    rail: Type.Enum(RAILS, { type: 'string', examples: ['SEPA'] }),
    isDefault: Type.Boolean({
      description: 'Whether a bank account takes this rail where it names none.',
    }),
    min: orNull(AmountText('The smallest amount of one payment.'), 'Null: no limit is known.'),
    max: orNull(AmountText('The greatest amount of one payment.'), 'Null: no limit is known.'),
    cutOff: orNull(
      CutOff,
      'What is released later leaves on the next banking day. Null with a source: round the clock; null without: not known.',
    ),
    holidays: orNull(
      Holidays,
      'When the rail does not settle, for this year and the next. Null with a source: it never closes; null without: not known.',
    ),
    settlementDays: orNull(
      Type.Integer({ examples: [1] }),
      'A payment is credited by the end of this many banking days after the one on which it leaves. Null: not known.',
    ),
    returnWindowDays: orNull(
      Type.Integer({ examples: [3] }),
      "Banking days within which the beneficiary's bank may send the money back. Null: not known.",
    ),
    returnsMayBeDeducted: Type.Boolean({
      description: 'Whether charges may be taken off money that comes back.',
    }),
    status: CorridorStatus,
    sources: Type.Object(
      Object.fromEntries(CORRIDOR_TERMS.map((term) => [term, Basis])) as Record<
        (typeof CORRIDOR_TERMS)[number],
        typeof Basis
      >,
      { ...closed, description: 'What each value rests on.' },
    ),
  },
  closed,
);
