import type { WalletRow } from '../../../db/parties/wallet-store.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import { walletEvent } from '../../parties/wallets/wallet-view.ts';
import { madeBefore, sampleId } from './sample-ids.ts';

type WalletEventType = Extract<EventDraft['type'], `wallet.${string}`>;

const wallet = (at: Date, version: number, more: Partial<WalletRow>): WalletRow => ({
  ...{ id: sampleId('wal'), seq: 0n, endUserId: sampleId('eu'), network: 'BASE', vasp: null },
  ...{ address: '', ownership: 'SELF_HOSTED', ownerKey: null, status: 'ACTIVE', proofNonce: '' },
  ...{
    provedAt: null,
    screeningResult: null,
    screeningList: null,
    screeningMatch: null,
    reviewId: null,
    review: null,
    screenedFor: null,
    screenedAt: null,
  },
  ...{ version, createdAt: version === 1 ? at : madeBefore(at), updatedAt: at },
  ...more,
});

export const WALLET_SAMPLES: Readonly<Record<WalletEventType, (at: Date) => EventDraft>> = {
  'wallet.created': (at) => walletEvent('wallet.created', wallet(at, 1, { status: 'PENDING' })),
  'wallet.activated': (at) => walletEvent('wallet.activated', wallet(at, 2, {})),
  'wallet.verified': (at) => walletEvent('wallet.verified', wallet(at, 3, { provedAt: at })),
  'wallet.rejected': (at) => walletEvent('wallet.rejected', wallet(at, 2, { status: 'REJECTED' })),
  'wallet.disabled': (at) => walletEvent('wallet.disabled', wallet(at, 3, { status: 'DISABLED' })),
};
