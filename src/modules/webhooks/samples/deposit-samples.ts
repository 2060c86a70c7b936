import type { DepositRow } from '../../../db/onchain/deposit-store.ts';
import { depositEvent } from '../../ledger/funding/deposit-view.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import { madeBefore, sampleId } from './sample-ids.ts';

type DepositEventType = Extract<EventDraft['type'], `deposit.${string}`>;

const SAMPLE_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const deposit = (at: Date, version: number, more: Partial<DepositRow>): DepositRow => ({
  ...{ id: sampleId('dep'), seq: 0n, network: 'BASE', asset: 'USDC', amount: 25_000_000n },
  ...{ txHash: `0x${'0'.repeat(64)}`, ordinal: 0, from: SAMPLE_ADDRESS, to: SAMPLE_ADDRESS },
  ...{ paymentId: sampleId('pay'), depositAddressId: null, review: null, onward: null, round: 1 },
  ...{ blockNumber: 1n, blockHash: `0x${'0'.repeat(64)}`, blockAt: madeBefore(at) },
  ...{ status: 'SEEN', applied: null },
  ...{ version, createdAt: version === 1 ? at : madeBefore(at), updatedAt: at },
  ...more,
});

const TO_PAYMENT = { appliedTo: 'PAYMENT', reason: null, toPayment: 25_000_000n } as const;
const TO_SUSPENSE = { appliedTo: 'SUSPENSE', reason: null, toPayment: 0n } as const;
const TO_BALANCE = { appliedTo: 'BALANCE', reason: 'UNDERPAID', toPayment: 0n } as const;

export const DEPOSIT_SAMPLES: Readonly<Record<DepositEventType, (at: Date) => EventDraft>> = {
  'deposit.seen': (at) => depositEvent('deposit.seen', deposit(at, 1, {})),
  'deposit.credited': (at) =>
    depositEvent('deposit.credited', deposit(at, 2, { status: 'CREDITED', applied: TO_PAYMENT })),
  'deposit.final': (at) =>
    depositEvent('deposit.final', deposit(at, 3, { status: 'FINAL', applied: TO_PAYMENT })),
  'deposit.orphaned': (at) =>
    depositEvent('deposit.orphaned', deposit(at, 3, { status: 'ORPHANED' })),
  'deposit.blocked': (at) =>
    depositEvent('deposit.blocked', deposit(at, 2, { status: 'BLOCKED', applied: TO_SUSPENSE })),
  'deposit.kept': (at) =>
    depositEvent('deposit.kept', deposit(at, 3, { status: 'KEPT', applied: TO_SUSPENSE })),
  'deposit.updated': (at) =>
    depositEvent('deposit.updated', deposit(at, 3, { status: 'CREDITED', applied: TO_BALANCE })),
};
