import type { DepositAddressStatus } from '../../../db/parties/deposit-address-store.ts';
import type { WalletOwnership, WalletRow, WalletStatus } from '../../../db/parties/wallet-store.ts';
import { isErased } from '../../../vault/owner-key.ts';
import type { ChipProps } from '../../kit/parts/chip.tsx';
import { shortAddress } from './short-address.ts';

/** A wallet's status as people read it. */
export const WALLET_WORDS: Readonly<Record<WalletStatus, ChipProps>> = {
  PENDING: { tone: 'moving', text: 'Pending' },
  ACTIVE: { tone: 'ok', text: 'Active' },
  REJECTED: { tone: 'bad', text: 'Rejected' },
  DISABLED: { tone: 'none', text: 'Disabled' },
};

/** What a wallet's status means to its customer. */
export const WALLET_DETAILS: Readonly<Record<WalletStatus, string>> = {
  PENDING: 'The address is not cleared yet. You cannot pay this wallet before it is.',
  ACTIVE: 'The address is cleared.',
  REJECTED: 'The address is on a sanctions list. You cannot pay this wallet.',
  DISABLED: 'The wallet is disabled and cannot be enabled again.',
};

/** Who has the key of a wallet. */
export const OWNERSHIP_WORDS: Readonly<Record<WalletOwnership, string>> = {
  SELF_HOSTED: 'Its owner',
  HOSTED: 'A provider',
};

/** A deposit address's status as people read it. */
export const ADDRESS_WORDS: Readonly<Record<DepositAddressStatus, ChipProps>> = {
  ACTIVE: { tone: 'ok', text: 'Active' },
  DISABLED: { tone: 'none', text: 'Disabled' },
};

/** A wallet's address, shortened: it is personal. */
export const walletAddress = (wallet: Pick<WalletRow, 'address' | 'ownerKey'>): string =>
  isErased(wallet) ? 'Erased' : shortAddress(wallet.address);
