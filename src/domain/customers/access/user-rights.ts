/** What a customer's user may be. */
export const USER_ROLES = ['OWNER', 'DEVELOPER', 'FINANCE', 'VIEWER'] as const;
export type UserRole = (typeof USER_ROLES)[number];

export interface Right<Role extends string> {
  readonly roles: readonly Role[];
  /** The act asks for its own proof, a code or a passkey, each time. */
  readonly takesStepUp: boolean;
}

const all = USER_ROLES;

/**
 * What a user of the dashboard may do, by role: the one table. A change of money or access takes step-up;
 * what narrows access (`revoke-keys`, `remove-addresses`) does not.
 */
export const USER_RIGHTS = {
  'see-payments': { roles: all, takesStepUp: false },
  'see-balances': { roles: all, takesStepUp: false },
  'see-end-users': { roles: all, takesStepUp: false },
  'see-webhooks': { roles: all, takesStepUp: false },
  'see-keys': { roles: all, takesStepUp: false },
  'see-requests': { roles: all, takesStepUp: false },
  'see-going-live': { roles: all, takesStepUp: false },
  'unmask-personal-data': { roles: ['OWNER', 'FINANCE'], takesStepUp: false },
  'export-csv': { roles: ['OWNER', 'FINANCE'], takesStepUp: false },
  'cancel-payments': { roles: ['OWNER', 'FINANCE'], takesStepUp: true },
  'approve-payments': { roles: ['OWNER', 'FINANCE'], takesStepUp: true },
  'write-payment-limits': { roles: ['OWNER'], takesStepUp: true },
  'write-keys': { roles: ['OWNER', 'DEVELOPER'], takesStepUp: true },
  'revoke-keys': { roles: ['OWNER', 'DEVELOPER', 'FINANCE'], takesStepUp: false },
  'write-webhooks': { roles: ['OWNER', 'DEVELOPER'], takesStepUp: true },
  'write-addresses': { roles: ['OWNER', 'DEVELOPER'], takesStepUp: true },
  'remove-addresses': { roles: ['OWNER', 'DEVELOPER'], takesStepUp: false },
  'replay-webhooks': { roles: ['OWNER', 'DEVELOPER'], takesStepUp: false },
  'test-webhooks': { roles: ['OWNER', 'DEVELOPER'], takesStepUp: false },
  'write-users': { roles: ['OWNER'], takesStepUp: true },
  'write-company': { roles: ['OWNER'], takesStepUp: true },
  'ask-for-live-access': { roles: ['OWNER'], takesStepUp: true },
  'require-passkeys': { roles: ['OWNER'], takesStepUp: true },
  'see-audit-log': { roles: ['OWNER'], takesStepUp: false },
  'write-own-sessions': { roles: all, takesStepUp: false },
  'write-own-passkeys': { roles: all, takesStepUp: true },
  'write-own-address': { roles: all, takesStepUp: true },
} as const satisfies Readonly<Record<string, Right<UserRole>>>;

export type UserRight = keyof typeof USER_RIGHTS;
