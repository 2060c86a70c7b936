import type { OperatorRole } from '../../../src/domain/customers/access/operator-rights.ts';
import type { Person } from '../../../src/domain/customers/access/person.ts';
import type { Role } from '../../../src/domain/customers/access/rights.ts';
import { USER_ROLES, type UserRole } from '../../../src/domain/customers/access/user-rights.ts';
import type { Proofs } from '../../../src/web/kit/web-deps.ts';

/** A person of that role who is logged in, for tests of what stands before every page. */
export function samplePerson(role: Role): Person {
  const common = {
    ...{ sessionId: `of-${role}`, name: 'Ada Sample' },
    timeZone: 'UTC',
    theme: 'auto' as const,
    passkey: { isRequired: false, hasOne: false },
  };
  if (!(USER_ROLES as readonly string[]).includes(role)) {
    return {
      kind: 'OPERATOR',
      id: 'opr_sample',
      role: role as OperatorRole,
      isConfirmed: true,
      ...common,
    };
  }
  const customer = {
    id: 'cus_sample',
    name: 'Sample Ltd',
    isSuspended: false,
    hasLiveAccess: false,
    hadLiveAccess: false,
  };
  return { kind: 'USER', id: 'usr_sample', role: role as UserRole, ...common, customer };
}

/** For surfaces without an act that takes step-up. */
export const NO_PROOFS: Proofs = {
  mail: () => Promise.reject(new Error('no proof was to be asked for')),
  judge: () => Promise.reject(new Error('no proof was to be judged')),
  askForPasskey: () => Promise.reject(new Error('no passkey was to be asked for')),
  judgePasskey: () => Promise.reject(new Error('no passkey was to be judged')),
  renew: () => Promise.reject(new Error('no session was to be renewed')),
};
