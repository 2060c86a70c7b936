import type { OperatorRole } from './operator-rights.ts';
import type { UserRole } from './user-rights.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

interface LoggedIn {
  /** Of this login; forms and proofs are bound to it. */
  readonly sessionId: string;
  /** As the person is called; for pages, never for logs. */
  readonly name: string;
  /** IANA's name of the time zone that pages tell times in. */
  readonly timeZone: string;
  readonly theme: Theme;
  /** Who must have a passkey and has none sees nothing but where one is added. */
  readonly passkey: { readonly isRequired: boolean; readonly hasOne: boolean };
}

/** A customer's user who is logged in to the dashboard. */
export interface User extends LoggedIn {
  readonly kind: 'USER';
  readonly id: string;
  readonly role: UserRole;
  readonly customer: {
    readonly id: string;
    readonly name: string;
    readonly isSuspended: boolean;
    readonly hasLiveAccess: boolean;
    /** Now or once: what real money did is theirs to see. */
    readonly hadLiveAccess: boolean;
  };
}

/** An operator who is logged in to the console. */
export interface Operator extends LoggedIn {
  readonly kind: 'OPERATOR';
  readonly id: string;
  readonly role: OperatorRole;
  /** Who is not confirmed sees only what is their own. */
  readonly isConfirmed: boolean;
}

export type Person = User | Operator;
