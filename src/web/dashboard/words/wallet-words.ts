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
  PENDING: 'Its address is not cleared yet. Nothing is paid to it before.',
  ACTIVE: 'Its address is cleared.',
  REJECTED: 'Its address is on a list of addresses: nothing is paid to it.',
  DISABLED: 'It is out of use for good.',
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
