import type { UserRole } from '../../../../../domain/customers/access/user-rights.ts';
import type { UserStatus } from '../../../../../db/customers/user-store.ts';
import type { Tone } from '../../../../kit/parts/chip.tsx';

/** What a role may do, for the owner who gives it. */
export const ROLE_TEXTS: Readonly<Record<UserRole, string>> = {
  OWNER: 'Owner: all rights, including users',
  DEVELOPER: 'Developer: keys, IP addresses, and webhooks',
  FINANCE: 'Finance: cancels payments, sees personal data, and exports',
  VIEWER: 'Viewer: read only',
};

export const STATUS_CHIPS: Readonly<Record<UserStatus, { tone: Tone; text: string }>> = {
  ACTIVE: { tone: 'ok', text: 'Active' },
  INVITED: { tone: 'wait', text: 'Invited' },
  DISABLED: { tone: 'none', text: 'Disabled' },
};

/** A role as a word: "Developer". */
export const roleWord = (role: string): string => role.slice(0, 1) + role.slice(1).toLowerCase();
