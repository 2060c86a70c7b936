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
import { ON_QUOTE_EXPIRY } from '../../domain/payments/quotes/on-quote-expiry.ts';
import { assetInput, currencyInput, oneDestination } from './payment-destination.ts';
import { Funding, NewFunding } from './payment-funding.ts';
import { ExpectedArrival } from './expected-arrival.ts';
import { OutcomeReasonFields } from './failure.ts';
import { Fee } from './fee.ts';
import { metadataInput, MetadataOutput } from './metadata.ts';
import { PlainText } from './person.ts';
import { orNull } from './or-null.ts';

export const PaymentStatus = Type.Enum(PAYMENT_STATUSES, {
  title: 'PaymentStatus',
  type: 'string',
  description: 'The status of the payment.',
  examples: ['PROCESSING'],
});

const StatusDetail = Type.String({
  description: `The reason for the status. One of ${STATUS_DETAILS.join(', ')}. More values may be added.`,
  examples: ['QUEUED'],
});

const resourceId = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 100, description, examples: [example] });

export const ExternalPaymentId = PlainText(255, 'Your own id for the payment.', 'invoice-4711');

export const NewPayment = Type.Object(
  {
    endUserId: resourceId(
      'The id of the end-user on whose behalf you make the payment.',
      'eu_01k6b7q0e8f1htx9n3r5p7v2ab',
    ),
    amount: AmountInput('The amount that the beneficiary receives.'),
    currency: Type.Optional(
      currencyInput(
        "The three-letter ISO 4217 code of the bank account's currency. Required with `bankAccountId`.",
      ),
    ),
    bankAccountId: Type.Optional(
      resourceId(
        'The id of the bank account to pay to. Give this or `walletId`.',
        'ba_01k6b7q0e8f1htx9n3r5p7v2ab',
      ),
    ),
    asset: Type.Optional(
      assetInput(
        "The asset to pay: USDC, EURC, or USDT, if `GET /networks` lists it for the wallet's network. Required with `walletId`, instead of `currency`.",
      ),
    ),
    walletId: Type.Optional(
      resourceId(
        'The id of the wallet to pay to: a wallet of the end-user or of your own company. Give this or `bankAccountId`.',
        'wal_01k6b7q0e8f1htx9n3r5p7v2ab',
      ),
    ),
    sourceCurrency: Type.Optional(
      currencyInput(
        'The three-letter ISO 4217 code of the balance that pays. Default: the source of the quote, or the currency or asset of the payment if there is no quote. If it differs from the target and you give no quote, the current rate applies.',
      ),
    ),
    sourceAsset: Type.Optional(
      assetInput('The code of the asset balance that pays, instead of `sourceCurrency`.'),
    ),
    funding: Type.Optional(NewFunding),
    scheduledFor: Type.Optional(
      Type.String({
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
        description:
          'The day on which to send the payment, as YYYY-MM-DD in the time zone of the rail. Today, or up to 180 days ahead. Default: the payment is sent immediately.',
        examples: ['2026-12-28'],
      }),
    ),
    quoteId: Type.Optional(
      resourceId(
        'The id of the quote to use. Its target must match the payment.',
        'quo_01k6b7q0e8f1htx9n3r5p7v2ab',
      ),
    ),
    onQuoteExpiry: Type.Optional(
      Type.Enum(ON_QUOTE_EXPIRY, {
        title: 'OnQuoteExpiry',
        type: 'string',
        description:
          'What happens if the payment was not sent while its rate was held. FAIL: it fails, and its funds go back. REQUOTE: it is priced anew at the rate of the moment in which it is sent, at most at `maxSourceAmount`. Only for a payment in two currencies. REQUOTE is only for a payment from a balance to a bank account. Default: FAIL.',
        examples: ['FAIL'],
      }),
    ),
    maxSourceAmount: Type.Optional(
      AmountInput(
        'The most that the payment may cost, including fees, in `sourceCurrency` or `sourceAsset`. It is reserved instead of the price. Required with REQUOTE, and refused without it.',
      ),
    ),
    externalId: Type.Optional(ExternalPaymentId),
    reference: Type.Optional(
      PlainText(140, "The text for the beneficiary's statement.", 'Invoice 4711'),
    ),
    purpose: Type.Optional(
      Type.String({
        pattern: '^[A-Z0-9_]{1,40}$',
        description: 'The purpose code, such as an ISO 20022 code.',
        examples: ['SALA'],
      }),
    ),
    metadata: Type.Optional(
      metadataInput({
        // No narrower than it ever was: what was taken once is taken again when its request is repeated.
        names: '^[^\\n\\r]*$',
        description:
          'Your own key-value pairs: up to 50 pairs, with keys of up to 40 and values of up to 500 characters, 8 kB in total. They are stored encrypted and never appear in events.',
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

const Failure = Type.Object(OutcomeReasonFields, {
  title: 'PaymentFailure',
  additionalProperties: false,
});

const Return = Type.Object(
  {
    reason: orNull(
      Type.String({
        description: 'The code that the bank gave, as in `railCode`.',
        examples: ['ACCOUNT_CLOSED'],
      }),
    ),
    ...OutcomeReasonFields,
    amount: AmountText('The amount that was returned, in major units.'),
    fee: AmountText('The amount that the bank deducted, in major units.'),
    credited: Type.Object(
      {
        ...Unit('The currency or asset of the balance that paid.'),
        amount: AmountText(
          'The amount credited back to the balance, in major units: the returned amount at the rate of the payment.',
        ),
      },
      { additionalProperties: false },
    ),
    at: Timestamp('The time of the return.'),
    late: Type.Boolean({
      description:
        'Whether the return arrived after the payment was final. The payment then stays COMPLETED, and the amount is credited.',
    }),
  },
  { title: 'PaymentReturn', additionalProperties: false },
);

const FundsStatus = Type.Enum(FUNDS_STATUSES, {
  title: 'FundsStatus',
  type: 'string',
  description: 'The location of the funds. More values may be added.',
});

const ReconciliationStatus = Type.Enum(['PENDING', 'RECONCILED', 'EXCEPTION'] as const, {
  title: 'ReconciliationStatus',
  type: 'string',
});

const Version = Type.Integer({
  minimum: 1,
  description: 'The version of the resource. It increases by one with every change.',
});

export const Payment = Type.Object(
  {
    id: Type.String({ examples: ['pay_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    kind: Type.Enum(PAYMENT_KINDS, {
      title: 'PaymentKind',
      type: 'string',
      description:
        'The kind of the payment. WITHDRAWAL: a payment to a bank account of your own company. PAYOUT: every other payment.',
      examples: ['PAYOUT'],
    }),
    status: PaymentStatus,
    statusDetail: StatusDetail,
    fundsStatus: FundsStatus,
    finality: Type.Object(
      {
        state: Type.Enum(['NONE', 'PROVISIONAL', 'FINAL'] as const, {
          title: 'Finality',
          type: 'string',
        }),
        finalAt: orNull(Timestamp('The time at which the payment became final.')),
        dueAt: orNull(
          Timestamp(
            'The earliest time at which the payment becomes final: the end of the return window of its rail.',
          ),
        ),
      },
      { title: 'PaymentFinality', additionalProperties: false },
    ),
    preliminary: Type.Boolean({
      description:
        'Whether the network can still reverse the payment. Always false for a payment to a bank account.',
    }),
    cancelable: Type.Boolean({
      description:
        'Whether you can still cancel the payment with `POST /payments/{id}/cancel`. True until a part of it has been sent.',
    }),
    scheduledFor: orNull(
      Type.String({
        format: 'date',
        description: 'The requested day of sending. Null if you requested none.',
      }),
    ),
    releaseAt: orNull(
      Timestamp(
        'The time at which the payment is sent: when the rail opens on that day, or on the next day on which it opens.',
      ),
    ),
    endUserId: Type.String(),
    bankAccountId: orNull(
      Type.String({ description: 'The id of the bank account. Null for a payment to a wallet.' }),
    ),
    walletId: orNull(
      Type.String({ description: 'The id of the wallet. Null for a payment to a bank account.' }),
    ),
    rail: Type.String({
      description: 'The rail of the payment. For a payment to a wallet, the network of the wallet.',
      examples: ['SEPA'],
    }),
    network: orNull(
      Type.String({
        description: 'The network of the wallet. Null for a payment to a bank account.',
        examples: ['BASE'],
      }),
    ),
    amount: AmountText('The amount that the beneficiary receives, in major units.'),
    ...Unit('The currency or asset that the beneficiary receives.'),
    quoteId: orNull(
      Type.String({
        description:
          'The id of the quote that priced the payment. Null if there was no conversion.',
      }),
    ),
    source: Type.Object(
      {
        ...Unit('The currency or asset of the balance that pays.'),
        amount: AmountText(
          'The total amount that the balance pays, in major units, including fees.',
        ),
      },
      { title: 'PaymentSource', additionalProperties: false },
    ),
    funding: Funding,
    rate: orNull(
      Type.String({
        description:
          'The number of target units for one unit of the source, applied after fees. Null if there was no conversion.',
      }),
    ),
    rateHeldUntil: orNull(
      Timestamp(
        'The time until which `rate` is held. A payment that was not sent by then, because it was on hold for example, fails with `quote_expired`, and its funds go back, or is priced anew with `onQuoteExpiry` REQUOTE. Null if there was no conversion.',
      ),
    ),
    onQuoteExpiry: orNull(
      Type.Enum(ON_QUOTE_EXPIRY, { title: 'OnQuoteExpiry', type: 'string' }),
      'What happens if the payment was not sent while its rate was held. Null if there was no conversion.',
    ),
    maxSourceAmount: orNull(
      AmountText(
        'The most that the payment may cost, in the currency or asset of `source`. It is reserved until the payment ends. Null without REQUOTE.',
      ),
    ),
    requoteUntil: orNull(
      Timestamp(
        'The time until which the payment may be priced anew, 24 hours after the first `rateHeldUntil`. A payment that was not sent by then fails with `quote_expired`. Null without REQUOTE.',
      ),
    ),
    fees: Type.Array(Fee, {
      description:
        'The fees, which are part of `source.amount`. They are refunded if the payment fails, but not if it is returned.',
    }),
    externalId: orNull(Type.String()),
    purpose: orNull(Type.String()),
    failure: orNull(Failure),
    return: orNull(Return),
    references: Type.Array(
      Type.Object(
        {
          type: Type.String({
            description:
              'The type of the reference: END_TO_END_ID, BANK_REFERENCE, or, for a payment to a wallet, TX_HASH. More values may be added.',
            examples: ['END_TO_END_ID'],
          }),
          value: Type.String(),
        },
        { title: 'PaymentReference', additionalProperties: false },
      ),
      {
        description:
          'The references that identify the payment at the bank, on its statements, or on the network.',
      },
    ),
    reconciliation: Type.Object(
      {
        status: ReconciliationStatus,
        evidence: orNull(Type.Record(Type.String(), Type.Unknown())),
      },
      {
        additionalProperties: false,
        description: "The reconciliation of the payment with the bank's statement.",
      },
    ),
    version: Version,
    createdAt: Timestamp('The time at which the payment was accepted.'),
    updatedAt: Timestamp('The time of the last change.'),
    expectedArrival: ExpectedArrival(
      'The time by which the beneficiary is expected to be credited. It counts from the time of sending. Before that, and on hold, it counts from now or from `releaseAt`, so it moves.',
      ['PAYMENT_ENDED', 'NOT_RECORDED'],
      {
        title: 'PaymentArrival',
        description:
          'The expected arrival, from the cut-off, banking days, and holidays of the corridor. It can change without a new `version`. Events do not contain it.',
      },
    ),
    idempotencyKey: Type.String(),
    reference: orNull(Type.String()),
    metadata: MetadataOutput,
    statusHistory: Type.Array(
      Type.Object(
        {
          status: PaymentStatus,
          statusDetail: StatusDetail,
          at: Timestamp('The time of the status change.'),
          version: Version,
        },
        { title: 'PaymentStatusChange', additionalProperties: false },
      ),
    ),
  },
  {
    title: 'Payment',
    additionalProperties: false,
    description: 'A payment to a bank account or a wallet.',
  },
);

export const TimelineRow = Type.Object(
  {
    at: orNull(
      Timestamp('The time at which the step happened or is due. Null if it is not known.'),
    ),
    status: PaymentStatus,
    statusDetail: StatusDetail,
    fundsStatus: FundsStatus,
    reconciliationStatus: ReconciliationStatus,
    finality: Type.Enum(FINALITIES, {
      title: 'Finality',
      type: 'string',
      description: 'The finality of the payment after this step.',
    }),
    version: orNull(Version),
    expected: Type.Boolean({
      description: 'Whether the step is expected and has not happened yet.',
    }),
    waitsFor: orNull(
      Type.String({
        description: `For an expected step: who must act next. One of ${WAITS_FOR.join(', ')}. More values may be added.`,
        examples: ['BANK'],
      }),
    ),
  },
  {
    title: 'TimelineRow',
    additionalProperties: false,
    description: 'A past or expected step of a payment.',
  },
);
