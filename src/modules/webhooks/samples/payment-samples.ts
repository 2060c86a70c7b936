import { systemActor } from '../../../domain/actor.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import {
  reasonNamed,
  reasonOf,
  returnReason,
} from '../../../domain/payments/failures/rail-reasons.ts';
import type { PaymentChange } from '../../../domain/payments/payment.ts';
import type { PaymentStatus } from '../../../domain/payments/payment-states.ts';
import { nextVersion } from '../../payments/change-payment.ts';
import { firstVersion, paymentCreated } from '../../payments/first-version.ts';
import { madeBefore, NOTHING_SEALED, sampleId } from './sample-ids.ts';

type PaymentEventType = Extract<EventDraft['type'], `payment.${string}`>;
type Sample = (at: Date) => EventDraft;

const END_TO_END_ID = { type: 'END_TO_END_ID', value: 'CWSAMPLE000000000000000001' } as const;
const DAY_MS = 24 * 3_600_000;

const firstOne = (at: Date) =>
  firstVersion(
    {
      customerId: sampleId('cus'),
      environment: 'test',
      id: sampleId('pay'),
      endUserId: sampleId('eu'),
      destination: { kind: 'BANK', bankAccountId: sampleId('ba'), rail: 'SEPA' },
      idempotencyKey: 'sample',
      workflowId: 'sample',
      unit: 'EUR',
      amount: 1_000n,
      externalId: 'sample-payment',
      purpose: null,
      personal: NOTHING_SEALED,
      ownerKey: null,
      refs: [END_TO_END_ID],
    },
    madeBefore(at),
  );

const ON_HOLD: PaymentChange = { status: 'ON_HOLD', statusDetail: 'KYC_WITHDRAWN' };
const SENT: PaymentChange = { status: 'SENT', statusDetail: 'IN_RAIL', fundsStatus: 'IN_RAIL' };
const isBack = { fundsStatus: 'BACK_IN_BALANCE' } as const;

const completed = (at: Date): PaymentChange => ({
  ...{ status: 'COMPLETED', statusDetail: 'DELIVERED', fundsStatus: 'DELIVERED' },
  finalDueAt: new Date(at.getTime() + 5 * DAY_MS),
});
const RECONCILED: PaymentChange = { reconciliationStatus: 'RECONCILED' };

/** The changes that lead there; the last one is told. */
const WAYS: Readonly<Record<PaymentStatus, (at: Date) => readonly PaymentChange[]>> = {
  PROCESSING: () => [ON_HOLD, { status: 'PROCESSING', statusDetail: 'QUEUED' }],
  ON_HOLD: () => [ON_HOLD],
  SENT: () => [SENT],
  COMPLETED: (at) => [SENT, completed(at)],
  FAILED: () => [
    SENT,
    {
      ...{ status: 'FAILED', statusDetail: 'REJECTED_BY_BANK', ...isBack },
      failure: reasonOf('AC01', 'REJECTED'),
    },
  ],
  CANCELED: () => [{ status: 'CANCELED', statusDetail: 'CANCELED_ON_REQUEST', ...isBack }],
  EXPIRED: () => [
    {
      ...{ status: 'EXPIRED', statusDetail: 'DEPOSIT_EXPIRED', ...isBack },
      failure: reasonNamed('deposit_expired'),
    },
  ],
  RETURNED: (at) => [
    SENT,
    completed(at),
    {
      ...{ status: 'RETURNED', statusDetail: 'RETURNED_BY_BANK', ...isBack },
      returnInfo: { ...returnReason('AC04'), amount: '1000', fee: '0', at: at.toISOString() },
    },
  ],
};

function lastOf(changes: readonly PaymentChange[], at: Date): EventDraft {
  let payment = firstOne(at);
  let told = paymentCreated(payment);
  for (const change of changes) {
    const version = nextVersion(payment, change, systemActor('settlement'), at);
    payment = version.payment;
    told = version.event;
  }
  return told;
}

const moved =
  (status: PaymentStatus): Sample =>
  (at) =>
    lastOf(WAYS[status](at), at);

export const PAYMENT_SAMPLES: Readonly<Record<PaymentEventType, Sample>> = {
  'payment.created': (at) => paymentCreated(firstOne(at)),
  'payment.processing': moved('PROCESSING'),
  'payment.on_hold': moved('ON_HOLD'),
  'payment.sent': moved('SENT'),
  'payment.completed': moved('COMPLETED'),
  'payment.failed': moved('FAILED'),
  'payment.canceled': moved('CANCELED'),
  'payment.expired': moved('EXPIRED'),
  'payment.returned': moved('RETURNED'),
  'payment.requoted': (at) => lastOf([{ statusDetail: 'REQUOTED' }], at),
  'payment.reconciled': (at) => lastOf([SENT, completed(at), RECONCILED], at),
  'payment.final': (at) => lastOf([SENT, completed(at), RECONCILED, { becomesFinal: true }], at),
  'payment.updated': (at) => lastOf([{ statusDetail: 'SUBMITTING' }], at),
};
