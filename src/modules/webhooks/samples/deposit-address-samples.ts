import type { DepositAddressRow } from '../../../db/parties/deposit-address-store.ts';
import { depositAddressEvent } from '../../parties/deposit-addresses/deposit-address-view.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import { madeBefore, sampleId } from './sample-ids.ts';

type AddressEventType = Extract<EventDraft['type'], `deposit_address.${string}`>;

/** Of a contract that does not exist. */
const SAMPLE_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const address = (
  at: Date,
  version: number,
  status: DepositAddressRow['status'],
): DepositAddressRow => ({
  ...{ id: sampleId('da'), seq: 0n, endUserId: sampleId('eu'), bankAccountId: sampleId('ba') },
  ...{ walletId: null, minAmount: 1_000_000n, address: SAMPLE_ADDRESS, status, version },
  ...{ createdAt: version === 1 ? at : madeBefore(at), updatedAt: at },
});

export const DEPOSIT_ADDRESS_SAMPLES: Readonly<Record<AddressEventType, (at: Date) => EventDraft>> =
  {
    'deposit_address.created': (at) =>
      depositAddressEvent('deposit_address.created', address(at, 1, 'ACTIVE')),
    'deposit_address.disabled': (at) =>
      depositAddressEvent('deposit_address.disabled', address(at, 2, 'DISABLED')),
  };
