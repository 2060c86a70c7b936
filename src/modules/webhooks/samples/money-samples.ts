import type { FundingCreditRow } from '../../../db/ledger/funding-credit-store.ts';
import type { BatchRow, BatchSum } from '../../../db/payments/payment-batch-store.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import {
  creditorReference,
  REFERENCE_BODY_CHARS,
} from '../../../domain/ledger/funding/creditor-reference.ts';
import { creditEvent } from '../../ledger/funding/credit-event.ts';
import { batchEvent } from '../../payments/batches/batch-events.ts';
import { viewBatch } from '../../payments/batches/batch-view.ts';
import { madeBefore, sampleId } from './sample-ids.ts';

type Sample = (at: Date) => EventDraft;
type OfFamily<Family extends string> = Extract<EventDraft['type'], `${Family}.${string}`>;

const batchId = sampleId('pba');

const batch = (at: Date, status: BatchRow['status']): BatchRow => ({
  ...{ id: batchId, seq: 0n, status, version: status === 'COMPLETED' ? 2 : 1, total: 2 },
  ...{ actor: { kind: 'API_KEY', id: sampleId('key') }, requestId: sampleId('req') },
  createdAt: status === 'COMPLETED' ? madeBefore(at) : at,
  completedAt: status === 'COMPLETED' ? at : null,
});

const PENDING: readonly BatchSum[] = [
  { batchId, state: 'PENDING', currency: 'EUR', items: 2n, amount: 2_500n },
];
const JUDGED: readonly BatchSum[] = [
  { batchId, state: 'ACCEPTED', currency: 'EUR', items: 1n, amount: 1_000n },
  { batchId, state: 'REFUSED', currency: 'EUR', items: 1n, amount: 1_500n },
];

const told = (row: BatchRow, sums: readonly BatchSum[]) => batchEvent(row, viewBatch(row, sums));

export const BATCH_SAMPLES: Readonly<Record<OfFamily<'payment_batch'>, Sample>> = {
  'payment_batch.created': (at) => told(batch(at, 'PROCESSING'), PENDING),
  'payment_batch.completed': (at) => told(batch(at, 'COMPLETED'), JUDGED),
};

const credit = (at: Date): FundingCreditRow => ({
  ...{ id: sampleId('fc'), version: 1, currency: 'EUR', amount: 100_000n },
  reference: creditorReference('0'.repeat(REFERENCE_BODY_CHARS)),
  ...{ bookedAt: madeBefore(at), creditedAt: at, ledgerTransactionId: sampleId('ltx') },
  ...{ reversedAt: null, reversalTransactionId: null },
});

export const BALANCE_SAMPLES: Readonly<Record<OfFamily<'balance'>, Sample>> = {
  'balance.credited': (at) => creditEvent(credit(at)),
  'balance.credit_reversed': (at) =>
    creditEvent({
      ...credit(madeBefore(at)),
      ...{ version: 2, reversedAt: at, reversalTransactionId: sampleId('ltx') },
    }),
};
