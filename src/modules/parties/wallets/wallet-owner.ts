import type { WalletRow } from '../../../db/parties/wallet-store.ts';
import type { KeyOwner } from '../../../vault/owner-key.ts';

/** Whose key seals what is said of a wallet; null: the customer's own, which the vault seals itself. */
export const walletOwner = ({
  id,
  endUserId,
  ownerKey,
}: WalletRow): (KeyOwner & { readonly resourceId: string }) | null =>
  endUserId === null ? null : { endUserId, ownerKey, resourceId: id };
