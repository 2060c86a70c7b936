import type { User } from '../../../../../domain/customers/access/person.ts';
import { USER_RIGHTS, type UserRight } from '../../../../../domain/customers/access/user-rights.ts';

/** Whether a user has a right and may use it: to others its form is not shown. */
export function mayUse({ role, customer }: User, right: UserRight): boolean {
  const roles: readonly string[] = USER_RIGHTS[right].roles;
  return roles.includes(role) && !customer.isSuspended;
}
