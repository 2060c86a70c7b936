import type { Static } from 'typebox';
import type { Fee } from '../schemas/fee.ts';
import type { NewPayment, Payment, TimelineRow } from '../schemas/payment.ts';
import type { Funding } from '../schemas/payment-funding.ts';
import type { PaymentValidation } from '../schemas/payment-validation.ts';
import {
  EXAMPLE_ADDRESS,
  exampleId,
  exampleTime,
  onlyPage,
  type ExampleTable,
} from './operation-example.ts';

const KEY = '5f0c7b1e-4f7e-4a41-9d0a-2d9b6f3f8a10';

const TO_ACCOUNT = {
  endUserId: exampleId('eu'),
  bankAccountId: exampleId('ba'),
  amount: '250.00',
  currency: 'EUR',
  externalId: 'invoice-4711',
  reference: 'Invoice 4711',
  metadata: { invoice: '4711' },
} as const satisfies Static<typeof NewPayment>;

const SERVICE_FEE: Static<typeof Fee> = {
  ...{ type: 'SERVICE', amount: '0.50', currency: 'EUR', bps: null },
  description: 'Fee of the service',
};

const FROM_BALANCE: Static<typeof Funding> = {
  ...{ type: 'BALANCE', asset: null, network: null, address: null },
  ...{ amountDue: null, amountReceived: null, expiresAt: null },
  refundWalletId: null,
};

const END_TO_END_ID = { type: 'END_TO_END_ID', value: 'CW01K6B7Q0E8F1HTX9N3R5P7V2AB' } as const;

/** 250.00 that arrive, and the fee: 250.50. */
const QUEUED: Static<typeof Payment> = {
  ...TO_ACCOUNT,
  id: exampleId('pay'),
  kind: 'PAYOUT',
  status: 'PROCESSING',
  statusDetail: 'QUEUED',
  fundsStatus: 'HELD',
  finality: { state: 'NONE', finalAt: null, dueAt: null },
  preliminary: false,
  cancelable: true,
  scheduledFor: null,
  releaseAt: null,
  walletId: null,
  rail: 'SEPA',
  network: null,
  quoteId: null,
  source: { currency: 'EUR', amount: '250.50' },
  funding: FROM_BALANCE,
  rate: null,
  rateHeldUntil: null,
  onQuoteExpiry: null,
  maxSourceAmount: null,
  requoteUntil: null,
  fees: [SERVICE_FEE],
  purpose: null,
  failure: null,
  return: null,
  references: [END_TO_END_ID],
  reconciliation: { status: 'PENDING', evidence: null },
  version: 1,
  createdAt: exampleTime('12:15:00'),
  updatedAt: exampleTime('12:15:00'),
  expectedArrival: { at: '2026-09-30T22:00:00.000Z', reason: null },
  idempotencyKey: KEY,
  statusHistory: [
    {
      ...{ status: 'PROCESSING', statusDetail: 'QUEUED', version: 1 },
      at: exampleTime('12:15:00'),
    },
  ],
};

const COMPLETED: Static<typeof Payment> = {
  ...QUEUED,
  status: 'COMPLETED',
  statusDetail: 'DELIVERED',
  fundsStatus: 'DELIVERED',
  finality: { state: 'PROVISIONAL', finalAt: null, dueAt: '2026-10-02T22:00:00.000Z' },
  cancelable: false,
  expectedArrival: { at: null, reason: 'PAYMENT_ENDED' },
  version: 3,
  updatedAt: exampleTime('12:15:09'),
  statusHistory: [
    ...QUEUED.statusHistory,
    { status: 'SENT', statusDetail: 'IN_RAIL', at: exampleTime('12:15:02'), version: 2 },
    { status: 'COMPLETED', statusDetail: 'DELIVERED', at: exampleTime('12:15:09'), version: 3 },
  ],
};

const CANCELED: Static<typeof Payment> = {
  ...QUEUED,
  status: 'CANCELED',
  statusDetail: 'CANCELED_ON_REQUEST',
  fundsStatus: 'BACK_IN_BALANCE',
  finality: { state: 'FINAL', finalAt: exampleTime('12:15:01'), dueAt: null },
  cancelable: false,
  expectedArrival: { at: null, reason: 'PAYMENT_ENDED' },
  version: 2,
  updatedAt: exampleTime('12:15:01'),
  statusHistory: [
    ...QUEUED.statusHistory,
    {
      ...{ status: 'CANCELED', statusDetail: 'CANCELED_ON_REQUEST', version: 2 },
      at: exampleTime('12:15:01'),
    },
  ],
};

const TO_WALLET = {
  endUserId: exampleId('eu'),
  walletId: exampleId('wal'),
  amount: '100',
  asset: 'USDC',
  quoteId: exampleId('quo'),
} as const satisfies Static<typeof NewPayment>;

const { currency: _currency, ...withoutCurrency } = QUEUED;

/** A payment to a wallet in the asset, that a balance in the same asset pays. */
const ASSET_QUEUED: Static<typeof Payment> = {
  ...withoutCurrency,
  bankAccountId: null,
  walletId: exampleId('wal'),
  rail: 'BASE',
  network: 'BASE',
  preliminary: true,
  amount: '100.000000',
  asset: 'USDC',
  source: { asset: 'USDC', amount: '100.000000' },
  fees: [],
  expectedArrival: { at: null, reason: 'SPEED_NOT_STATED' },
  references: [],
  externalId: null,
  reference: null,
  metadata: {},
};

/** What the quote of the examples locks: 80.00 at 1.25, and the fee. */
const QUOTED: Static<typeof Payment> = {
  ...ASSET_QUEUED,
  quoteId: exampleId('quo'),
  source: { currency: 'EUR', amount: '80.30' },
  rate: '1.25',
  rateHeldUntil: exampleTime('12:31:00'),
  onQuoteExpiry: 'FAIL',
  fees: [
    {
      ...{ type: 'NETWORK', amount: '0.30', currency: 'EUR', bps: null },
      description: 'Fee of the network',
    },
  ],
};

/** A payment in USDC to the wallet of the examples: what refunds a deposit, too. */
export const refundOf = (amount: string): Static<typeof Payment> => ({
  ...ASSET_QUEUED,
  amount,
  source: { asset: 'USDC', amount },
});

const BY_DEPOSIT = {
  endUserId: exampleId('eu'),
  bankAccountId: exampleId('ba'),
  amount: '250.00',
  currency: 'EUR',
  funding: { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: 'BASE' },
} as const satisfies Static<typeof NewPayment>;

/** 312.500000 at 0.8 is 250.00; with the fee 313.000000 are to be sent. */
const AWAITING: Static<typeof Payment> = {
  ...QUEUED,
  statusDetail: 'AWAITING_DEPOSIT',
  fundsStatus: 'AWAITED',
  quoteId: exampleId('quo'),
  source: { asset: 'USDC', amount: '313.000000' },
  funding: {
    ...BY_DEPOSIT.funding,
    address: EXAMPLE_ADDRESS,
    amountDue: '313.000000',
    amountReceived: '0.000000',
    expiresAt: exampleTime('12:30:00'),
    refundWalletId: null,
  },
  rate: '0.8',
  rateHeldUntil: exampleTime('14:05:00'),
  onQuoteExpiry: 'FAIL',
  fees: [
    {
      ...{ type: 'SERVICE', amount: '0.500000', asset: 'USDC', bps: null },
      description: 'Fee of the service',
    },
  ],
  expectedArrival: { at: null, reason: 'AWAITS_DEPOSIT' },
  externalId: null,
  reference: null,
  metadata: {},
  statusHistory: [
    {
      ...{ status: 'PROCESSING', statusDetail: 'AWAITING_DEPOSIT', version: 1 },
      at: exampleTime('12:15:00'),
    },
  ],
};

const VALID: Static<typeof PaymentValidation> = {
  valid: true,
  problems: [],
  cost: {
    source: QUEUED.source,
    withoutFees: { currency: 'EUR', amount: '250.00' },
    fees: [SERVICE_FEE],
    rate: null,
    rateHeldUntil: null,
    requoteUntil: null,
    quoteId: null,
    indicative: false,
  },
  corridor: {
    country: 'DE',
    currency: 'EUR',
    rail: 'SEPA',
    status: 'ACTIVE',
    cutOff: { time: '16:00', timeZone: 'Europe/Berlin' },
  },
  expectedArrival: { at: '2026-09-30T21:59:59.000Z', reason: null },
};

const REFUSED: Static<typeof PaymentValidation> = {
  ...VALID,
  valid: false,
  problems: [
    {
      path: '/amount',
      code: 'insufficient_balance',
      message: 'The balance does not cover the payment.',
    },
  ],
};

const step = (row: Partial<Static<typeof TimelineRow>>): Static<typeof TimelineRow> => ({
  ...{ at: null, status: 'PROCESSING', statusDetail: 'QUEUED', fundsStatus: 'HELD' },
  ...{ reconciliationStatus: 'PENDING', finality: 'NONE', version: 1 },
  ...{ expected: false, waitsFor: null },
  ...row,
});

const TIMELINE = [
  step({ at: exampleTime('12:15:00') }),
  step({
    ...{ at: exampleTime('12:15:02'), status: 'SENT', statusDetail: 'IN_RAIL', version: 2 },
    fundsStatus: 'IN_RAIL',
  }),
  step({
    ...{ status: 'COMPLETED', statusDetail: 'DELIVERED', fundsStatus: 'DELIVERED' },
    ...{ finality: 'PROVISIONAL', version: null, expected: true, waitsFor: 'BANK' },
  }),
];

export const PAYMENT_EXAMPLES: ExampleTable = {
  createPayment: {
    bankAccount: {
      summary: 'To a bank account',
      request: TO_ACCOUNT,
      status: 201,
      answer: QUEUED,
    },
    wallet: {
      summary: 'To a wallet, by a quote',
      request: TO_WALLET,
      status: 201,
      answer: QUOTED,
    },
    deposit: {
      summary: 'Paid for by tokens that are sent',
      request: BY_DEPOSIT,
      status: 201,
      answer: AWAITING,
    },
  },
  validatePayment: {
    valid: { summary: 'It would be accepted', request: TO_ACCOUNT, status: 200, answer: VALID },
    refused: {
      summary: 'The balance is too small',
      request: TO_ACCOUNT,
      status: 200,
      answer: REFUSED,
    },
  },
  listPayments: { page: { summary: 'One payment', status: 200, answer: onlyPage(COMPLETED) } },
  getPayment: { completed: { summary: 'Delivered', status: 200, answer: COMPLETED } },
  getPaymentTimeline: {
    sent: { summary: 'The bank has it', status: 200, answer: onlyPage(...TIMELINE) },
  },
  closeIdempotencyKey: {
    closed: {
      summary: 'Nothing was paid with it, and nothing ever is',
      request: { idempotencyKey: 'invoice-4712' },
      status: 200,
      answer: { state: 'CLOSED' },
    },
    payment: {
      summary: 'It made a payment',
      request: { idempotencyKey: KEY },
      status: 200,
      answer: { state: 'PAYMENT', payment: COMPLETED },
    },
  },
  cancelPayment: { canceled: { summary: 'Canceled', status: 200, answer: CANCELED } },
};
