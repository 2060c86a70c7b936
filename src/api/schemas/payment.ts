import { Type } from 'typebox';
import { FINALITIES } from '../../domain/payments/finality.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment-kind.ts';
import {
  FUNDS_STATUSES,
  PAYMENT_STATUSES,
  STATUS_DETAILS,
} from '../../domain/payments/payment-states.ts';
import { WAITS_FOR } from '../../modules/payments/timeline-row.ts';
import { AmountInput, AmountText, Timestamp, Unit } from './common.ts';
import { assetInput, currencyInput, oneDestination } from './payment-destination.ts';
import { Funding, NewFunding } from './payment-funding.ts';
import { OutcomeReasonFields } from './failure.ts';
import { Fee } from './fee.ts';
import { metadataInput, MetadataOutput } from './metadata.ts';
import { PlainText } from './person.ts';
import { orNull } from './or-null.ts';

export const PaymentStatus = Type.Enum(PAYMENT_STATUSES, {
  type: 'string',
  description: 'Where the payment stands.',
  examples: ['PROCESSING'],
});

const StatusDetail = Type.String({
  description: `Why it stands there. An open set: ${STATUS_DETAILS.join(', ')}, and more to come.`,
  examples: ['QUEUED'],
});

const resourceId = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 100, description, examples: [example] });

export const ExternalPaymentId = PlainText(255, 'Your own id of the payment.', 'invoice-4711');

export const NewPayment = Type.Object(
  {
    endUserId: resourceId('Whose payment it is.', 'eu_01k6b7q0e8f1htx9n3r5p7v2ab'),
    amount: AmountInput('What the beneficiary receives, in major units: a number or decimal text.'),
    currency: Type.Optional(
      currencyInput("ISO 4217. Must be the bank account's, and is given with `bankAccountId`."),
    ),
    bankAccountId: Type.Optional(
      resourceId(
        'Where the money goes, unless it goes to a wallet.',
        'ba_01k6b7q0e8f1htx9n3r5p7v2ab',
      ),
    ),
    asset: Type.Optional(
      assetInput(
        "USDC, EURC or USDT: one that `GET /networks` lists for the wallet's network. Given with `walletId`, in place of `currency`.",
      ),
    ),
    walletId: Type.Optional(
      resourceId(
        'Where the asset goes, in place of `bankAccountId`: a wallet of the end-user or one of your own.',
        'wal_01k6b7q0e8f1htx9n3r5p7v2ab',
      ),
    ),
    sourceCurrency: Type.Optional(
      currencyInput(
        "The balance that pays. Left out, it is the quote's where there is one, else what the payment is in. Another one without a quote is quoted at the rate of the moment.",
      ),
    ),
    sourceAsset: Type.Optional(
      assetInput('The same where an asset pays, in place of `sourceCurrency`.'),
    ),
    funding: Type.Optional(NewFunding),
    scheduledFor: Type.Optional(
      Type.String({
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
        description:
          "The day on which it leaves, YYYY-MM-DD in the rail's time zone: today or up to 180 days ahead. Left out: at once.",
        examples: ['2026-12-28'],
      }),
    ),
    quoteId: Type.Optional(
      resourceId(
        'The quote to pay by, whose target is what the payment is of.',
        'quo_01k6b7q0e8f1htx9n3r5p7v2ab',
      ),
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
      metadataInput({
        // No narrower than it ever was: what was taken once is taken again when its request is repeated.
        names: '^[^\\n\\r]*$',
        description:
          'Up to 50 pairs of your own, keys to 40 and values to 500 characters; 8 kB in all. Encrypted, never in webhooks.',
        example: { invoice: '4711' },
      }),
    ),
  },
  {
    title: 'NewPayment',
    additionalProperties: false,
    description: 'A payment to make.',
    ...oneDestination,
  },
);

const Failure = Type.Object(OutcomeReasonFields, { additionalProperties: false });

const Return = Type.Object(
  {
    reason: orNull(Type.String({ description: 'As railCode.', examples: ['ACCOUNT_CLOSED'] })),
    ...OutcomeReasonFields,
    amount: AmountText('What came back.'),
    fee: AmountText('What the bank kept.'),
    credited: Type.Object(
      {
        ...Unit('The balance that paid.'),
        amount: AmountText('What is back in it: what came back at the rate of the payment.'),
      },
      { additionalProperties: false },
    ),
    at: Timestamp('When it came back.'),
    late: Type.Boolean({
      description: 'It came back when the payment was final: it stays COMPLETED, and was credited.',
    }),
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
        finalAt: orNull(Timestamp('Since when nothing can change it.')),
        dueAt: orNull(
          Timestamp(
            'Until when its rail lets a completed payment come back: the earliest moment at which it is final.',
          ),
        ),
      },
      { additionalProperties: false },
    ),
    preliminary: Type.Boolean({
      description:
        'True of a payment to a wallet until its network cannot take back what it shows; false of every other.',
    }),
    cancelable: Type.Boolean({
      description:
        'Whether nothing of it has been sent, so that `POST /payments/{id}/cancel` would still stop it.',
    }),
    scheduledFor: orNull(
      Type.String({ format: 'date', description: 'As ordered; null for a payment without a day.' }),
    ),
    releaseAt: orNull(
      Timestamp('When it leaves: the opening of the rail on that day, or the next one after it.'),
    ),
    endUserId: Type.String(),
    bankAccountId: orNull(Type.String({ description: 'Null: it goes to a wallet.' })),
    walletId: orNull(Type.String({ description: 'Null: it goes to a bank account.' })),
    rail: Type.String({
      description: "Of a payment to a wallet the wallet's network.",
      examples: ['SEPA'],
    }),
    network: orNull(
      Type.String({ description: 'Null: it goes to a bank account.', examples: ['BASE'] }),
    ),
    amount: AmountText('What the beneficiary receives.'),
    ...Unit('What the beneficiary receives.'),
    quoteId: orNull(
      Type.String({ description: 'The quote that it was paid by; null in one currency.' }),
    ),
    source: Type.Object(
      {
        ...Unit('The balance that pays.'),
        amount: AmountText('What it pays in all, fees included.'),
      },
      { additionalProperties: false },
    ),
    funding: Funding,
    rate: orNull(
      Type.String({
        description:
          'Units of currency for one of the source, of what is left of it after fees. Null where nothing was converted.',
      }),
    ),
    fees: Type.Array(Fee, {
      description:
        'Part of source.amount. Kept when the payment is returned, given back when it fails.',
    }),
    externalId: orNull(Type.String()),
    purpose: orNull(Type.String()),
    failure: orNull(Failure),
    return: orNull(Return),
    references: Type.Array(
      Type.Object(
        {
          type: Type.String({
            description: 'END_TO_END_ID, BANK_REFERENCE or, to a wallet, TX_HASH. More may come.',
            examples: ['END_TO_END_ID'],
          }),
          value: Type.String(),
        },
        { additionalProperties: false },
      ),
      { description: 'Under which the bank and its statements, or the network, know it.' },
    ),
    reconciliation: Type.Object(
      {
        status: ReconciliationStatus,
        evidence: orNull(Type.Record(Type.String(), Type.Unknown())),
      },
      { additionalProperties: false, description: "Whether the bank's statement shows it." },
    ),
    version: Version,
    createdAt: Timestamp('When it was accepted.'),
    updatedAt: Timestamp('When it last changed.'),
    idempotencyKey: Type.String(),
    reference: orNull(Type.String()),
    metadata: MetadataOutput,
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
    at: orNull(Timestamp('When it happened, or is due; null where that is not known.')),
    status: PaymentStatus,
    statusDetail: StatusDetail,
    fundsStatus: FundsStatus,
    reconciliationStatus: ReconciliationStatus,
    finality: Type.Enum(FINALITIES, {
      type: 'string',
      description: 'How final the payment is with this step.',
    }),
    version: orNull(Version),
    expected: Type.Boolean({ description: 'True for what has not happened yet.' }),
    waitsFor: orNull(
      Type.String({
        description: `Of what has not happened yet: who must act first. An open set: ${WAITS_FOR.join(', ')}.`,
        examples: ['BANK'],
      }),
    ),
  },
  {
    title: 'TimelineRow',
    additionalProperties: false,
    description: 'A step of a payment, done or expected.',
  },
);
