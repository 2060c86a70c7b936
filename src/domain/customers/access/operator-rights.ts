import type { Right } from './user-rights.ts';

/** What an operator may be. */
export const OPERATOR_ROLES = ['SUPPORT', 'OPERATIONS', 'COMPLIANCE', 'ADMIN'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

const all = OPERATOR_ROLES;

/** What an operator may do in the console, by role: the one table. Decisions take step-up. */
export const OPERATOR_RIGHTS = {
  see: { roles: all, takesStepUp: false },
  // What it takes beside this is the right of the approval's action: see approval-rights.ts.
  'decide-approvals': { roles: ['OPERATIONS', 'COMPLIANCE', 'ADMIN'], takesStepUp: true },
  'decide-payments': { roles: ['OPERATIONS'], takesStepUp: true },
  'decide-reconciliation': { roles: ['OPERATIONS'], takesStepUp: true },
  'decide-requests': { roles: ['COMPLIANCE'], takesStepUp: true },
  'decide-reviews': { roles: ['COMPLIANCE'], takesStepUp: true },
  'decide-addresses': { roles: ['COMPLIANCE'], takesStepUp: true },
  'decide-live-access': { roles: ['COMPLIANCE'], takesStepUp: true },
  'suspend-customers': { roles: ['COMPLIANCE'], takesStepUp: true },
  'unmask-personal-data': { roles: ['COMPLIANCE'], takesStepUp: false },
  'write-operators': { roles: ['ADMIN'], takesStepUp: true },
  'see-audit-log': { roles: ['COMPLIANCE', 'ADMIN'], takesStepUp: false },
  'write-own-sessions': { roles: all, takesStepUp: false },
  'write-own-passkeys': { roles: all, takesStepUp: true },
  'write-own-address': { roles: all, takesStepUp: true },
} as const satisfies Readonly<Record<string, Right<OperatorRole>>>;

export type OperatorRight = keyof typeof OPERATOR_RIGHTS;
