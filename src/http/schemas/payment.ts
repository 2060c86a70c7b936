import { Type } from 'typebox';
import { PAYMENT_KINDS } from '../../domain/payments/payment-kind.ts';
import {
  FUNDS_STATUSES,
  PAYMENT_STATUSES,
  STATUS_DETAILS,
} from '../../domain/payments/payment-states.ts';
import { AmountInput, AmountText, CurrencyCode, Timestamp } from './common.ts';
import { PlainText } from './person.ts';

export const PaymentStatus = Type.Enum(PAYMENT_STATUSES, {
  type: 'string',
  description: 'Where the payment stands.',
  examples: ['PROCESSING'],
});

const StatusDetail = Type.String({
  description: `Why it stands there. An open set: ${STATUS_DETAILS.join(', ')}, and more to come.`,
  examples: ['QUEUED'],
});

const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const resourceId = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 100, description, examples: [example] });

export const ExternalPaymentId = PlainText(255, 'Your own id of the payment.', 'invoice-4711');

export const NewPayment = Type.Object(
  {
    endUserId: resourceId('Whose payment it is.', 'eu_01k6b7q0e8f1htx9n3r5p7v2ab'),
    amount: AmountInput(
      'What the beneficiary receives, in major units: a number or decimal text. No more decimals than the currency has, trailing zeros included.',
    ),
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      'x-error': { pattern: 'unsupported_currency' },
      description: "ISO 4217. Must be the bank account's.",
      examples: ['EUR'],
    }),
    bankAccountId: resourceId('Where the money goes.', 'ba_01k6b7q0e8f1htx9n3r5p7v2ab'),
    sourceCurrency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        'x-error': { pattern: 'unsupported_currency' },
        description: 'The balance that pays. The same as currency, which it is where left out.',
        examples: ['EUR'],
      }),
    ),
    externalId: Type.Optional(ExternalPaymentId),
    reference: Type.Optional(
      PlainText(140, "Text for the beneficiary's statement.", 'Invoice 4711'),
    ),
    purpose: Type.Optional(
      Type.String({
        pattern: '^[A-Z0-9_]{1,40}$',
        description: 'Purpose code, e.g. of ISO 20022.',
        examples: ['SALA'],
      }),
    ),
    metadata: Type.Optional(
      Type.Record(Type.String({ pattern: '^.{1,40}$' }), Type.String({ maxLength: 500 }), {
        maxProperties: 50,
        additionalProperties: false,
        description: 'Up to 50 pairs of your own; 8 kB in all. Encrypted, never in webhooks.',
        examples: [{ invoice: '4711' }],
      }),
    ),
  },
  { title: 'NewPayment', additionalProperties: false, description: 'A payment to make.' },
);

const Failure = Type.Object(
  {
    code: Type.String({ examples: ['account_not_found'] }),
    category: Type.String({ examples: ['BANK_REJECTED'] }),
    message: Type.String(),
    retryable: Type.Boolean({ description: 'Whether a new payment may succeed unchanged.' }),
    railCode: Nullable(Type.String({ description: "The bank's own code." })),
  },
  { additionalProperties: false },
);

const Return = Type.Object(
  {
    reason: Nullable(Type.String({ examples: ['ACCOUNT_CLOSED'] })),
    amount: AmountText('What came back.'),
    fee: AmountText('What the bank kept.'),
    at: Timestamp('When it came back.'),
  },
  { additionalProperties: false },
);

const FundsStatus = Type.Enum(FUNDS_STATUSES, {
  type: 'string',
  description: 'Where the money is. More values may come.',
});

const ReconciliationStatus = Type.Enum(['PENDING', 'RECONCILED', 'EXCEPTION'] as const, {
  type: 'string',
});

const Version = Type.Integer({ minimum: 1, description: 'Goes up by one with every change.' });

export const Payment = Type.Object(
  {
    id: Type.String({ examples: ['pay_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    kind: Type.Enum(PAYMENT_KINDS, {
      type: 'string',
      description: 'WITHDRAWAL: to an account of your own company. PAYOUT: every other one.',
      examples: ['PAYOUT'],
    }),
    status: PaymentStatus,
    statusDetail: StatusDetail,
    fundsStatus: FundsStatus,
    finality: Type.Object(
      {
        state: Type.Enum(['NONE', 'PROVISIONAL', 'FINAL'] as const, { type: 'string' }),
        finalAt: Nullable(Timestamp('Since when nothing can change it.')),
      },
      { additionalProperties: false },
    ),
    cancelable: Type.Boolean({
      description:
        'Whether nothing has been sent for it, so that it could still be stopped. There is no request for that yet.',
    }),
    endUserId: Type.String(),
    bankAccountId: Type.String(),
    rail: Type.String({ examples: ['SEPA'] }),
    amount: AmountText('What the beneficiary receives.'),
    currency: CurrencyCode('ISO 4217.'),
    source: Type.Object(
      {
        currency: CurrencyCode('The balance that pays.'),
        amount: AmountText('What it pays.'),
      },
      { additionalProperties: false },
    ),
    rate: Nullable(Type.String({ description: 'Null where nothing was converted.' })),
    fees: Type.Array(Type.Unknown()),
    externalId: Nullable(Type.String()),
    purpose: Nullable(Type.String()),
    failure: Nullable(Failure),
    return: Nullable(Return),
    references: Type.Array(
      Type.Object(
        {
          type: Type.String({ examples: ['END_TO_END_ID'] }),
          value: Type.String(),
        },
        { additionalProperties: false },
      ),
      { description: 'Under which the bank and its statements know it.' },
    ),
    reconciliation: Type.Object(
      {
        status: ReconciliationStatus,
        evidence: Nullable(Type.Record(Type.String(), Type.Unknown())),
      },
      { additionalProperties: false, description: "Whether the bank's statement shows it." },
    ),
    version: Version,
    createdAt: Timestamp('When it was accepted.'),
    updatedAt: Timestamp('When it last changed.'),
    idempotencyKey: Type.String(),
    reference: Nullable(Type.String()),
    metadata: Type.Record(Type.String(), Type.String()),
    statusHistory: Type.Array(
      Type.Object(
        {
          status: PaymentStatus,
          statusDetail: StatusDetail,
          at: Timestamp('Since when.'),
          version: Version,
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'Payment', additionalProperties: false, description: 'A payment.' },
);

export const TimelineRow = Type.Object(
  {
    at: Nullable(Timestamp('When it happened, or is due; null where that is not known.')),
    status: PaymentStatus,
    statusDetail: StatusDetail,
    fundsStatus: FundsStatus,
    reconciliationStatus: ReconciliationStatus,
    version: Nullable(Version),
    expected: Type.Boolean({ description: 'True for what has not happened yet.' }),
  },
  {
    title: 'TimelineRow',
    additionalProperties: false,
    description: 'A step of a payment, done or expected.',
  },
);
