import { OPERATOR_RIGHTS, type OperatorRight, type OperatorRole } from './operator-rights.ts';
import { USER_RIGHTS, type Right, type UserRight, type UserRole } from './user-rights.ts';

/** The two processes that serve pages: customers' users come to one, operators to the other. */
export const SURFACES = ['dashboard', 'console'] as const;

export type Surface = (typeof SURFACES)[number];

export type Role = UserRole | OperatorRole;

/** What a route asks for. `public`: no login; `any-person`: a login of any role. */
export type RouteRight = 'public' | 'any-person' | UserRight | OperatorRight;

const TABLES: Readonly<Record<Surface, Readonly<Record<string, Right<Role>>>>> = {
  dashboard: USER_RIGHTS,
  console: OPERATOR_RIGHTS,
};

/** Does a right ask for a proof of each act? False for `public` and `any-person`. */
export function takesStepUp(surface: Surface, right: string): boolean {
  const table = TABLES[surface];
  return Object.hasOwn(table, right) && table[right]?.takesStepUp === true;
}

/** The roles of a surface that have a right; null where the surface's table does not name it. */
export function rolesWith(surface: Surface, right: string): readonly Role[] | null {
  const table = TABLES[surface];
  return Object.hasOwn(table, right) ? (table[right]?.roles ?? null) : null;
}
