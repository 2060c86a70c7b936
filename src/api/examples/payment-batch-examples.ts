import type { Static } from 'typebox';
import type { NewPaymentBatch, PaymentBatch, PaymentBatchItem } from '../schemas/payment-batch.ts';
import { exampleId, exampleTime, onlyPage, type ExampleTable } from './operation-example.ts';

const to = { endUserId: exampleId('eu'), bankAccountId: exampleId('ba'), currency: 'EUR' } as const;

const ORDER: Static<typeof NewPaymentBatch> = {
  items: [
    { idempotencyKey: 'payroll-2026-09-0001', ...to, amount: '1500.00', reference: 'Pay 09/2026' },
    { idempotencyKey: 'payroll-2026-09-0002', ...to, amount: '20.00', reference: 'Pay 09/2026' },
  ],
};

const TAKEN: Static<typeof PaymentBatch> = {
  id: exampleId('pba'),
  status: 'PROCESSING',
  counts: { total: 2, pending: 2, accepted: 0, refused: 0 },
  totals: [{ currency: 'EUR', amount: '1520.00', accepted: '0.00' }],
  version: 1,
  createdAt: exampleTime('12:20:00'),
  completedAt: null,
};

const COMPLETED: Static<typeof PaymentBatch> = {
  ...TAKEN,
  status: 'COMPLETED',
  counts: { total: 2, pending: 0, accepted: 1, refused: 1 },
  totals: [{ currency: 'EUR', amount: '1520.00', accepted: '1500.00' }],
  version: 2,
  completedAt: exampleTime('12:20:01'),
};

const ACCEPTED: Static<typeof PaymentBatchItem> = {
  index: 0,
  idempotencyKey: 'payroll-2026-09-0001',
  state: 'ACCEPTED',
  paymentId: exampleId('pay'),
  error: null,
};

const REFUSED: Static<typeof PaymentBatchItem> = {
  index: 1,
  idempotencyKey: 'payroll-2026-09-0002',
  state: 'REFUSED',
  paymentId: null,
  error: {
    error: 'insufficient_balance',
    message: 'The available balance does not cover the payment. Add funds, or reduce the amount.',
    details: [],
  },
};

export const PAYMENT_BATCH_EXAMPLES: ExampleTable = {
  createPaymentBatch: {
    payroll: { summary: 'Two payments', request: ORDER, status: 201, answer: TAKEN },
  },
  listPaymentBatches: { page: { summary: 'One batch', status: 200, answer: onlyPage(COMPLETED) } },
  getPaymentBatch: {
    completed: { summary: 'Every item is judged', status: 200, answer: COMPLETED },
  },
  listPaymentBatchItems: {
    page: { summary: 'One of each', status: 200, answer: onlyPage(ACCEPTED, REFUSED) },
  },
};
