import type { KeyAddressStatus } from '../../../db/customers/key-address-store.ts';
import type { KeyState } from '../../../domain/customers/keys/key-life.ts';
import { ALL_PERMISSIONS, READ_PERMISSIONS } from '../../../domain/customers/keys/permissions.ts';
import type { ChipProps } from '../../kit/parts/chip.tsx';

export const KEY_WORDS: Readonly<Record<KeyState, ChipProps>> = {
  ACTIVE: { tone: 'ok', text: 'Active' },
  REPLACED: { tone: 'wait', text: 'Being replaced' },
  EXPIRED: { tone: 'none', text: 'Expired' },
  REVOKED: { tone: 'bad', text: 'Revoked' },
};

export const ADDRESS_WORDS: Readonly<Record<KeyAddressStatus, ChipProps>> = {
  APPROVED: { tone: 'ok', text: 'Approved' },
  PENDING: { tone: 'wait', text: 'Needs approval' },
  REJECTED: { tone: 'bad', text: 'Declined' },
  REMOVED: { tone: 'none', text: 'Removed' },
};

/** What a key may do, in one or two words. */
export function scopesWords(scopes: readonly string[]): string {
  if (scopes.includes(ALL_PERMISSIONS)) return 'Everything';
  const isReading = READ_PERMISSIONS.every((one) => scopes.includes(one));
  if (isReading && scopes.length === READ_PERMISSIONS.length) return 'Read only';
  return scopes.length === 1 ? (scopes[0] ?? '') : `${String(scopes.length)} scopes`;
}
