/** The resources that an API key's scopes speak of. */
const RESOURCES = [
  'balances',
  'bank-accounts',
  'corridors',
  'deposits',
  'end-users',
  'events',
  'fx-rates',
  'kyc',
  'payments',
  'quotes',
  'sandbox',
  'wallets',
  'webhook-endpoints',
] as const;

type Resource = (typeof RESOURCES)[number];

/** What a route asks of a key. */
export type Permission = `${Resource}:${'read' | 'write'}`;

/** What a key may carry: a permission, or `*` for all of them. */
export type KeyScope = Permission | '*';

export const ALL_PERMISSIONS = '*';

export const PERMISSIONS: readonly Permission[] = RESOURCES.flatMap(
  (resource) => [`${resource}:read`, `${resource}:write`] as const,
);

/** The scopes of a key that changes nothing. */
export const READ_PERMISSIONS: readonly Permission[] = PERMISSIONS.filter((permission) =>
  permission.endsWith(':read'),
);

export function isKeyScope(text: string): text is KeyScope {
  return text === ALL_PERMISSIONS || PERMISSIONS.some((permission) => permission === text);
}

/** Does a key with these scopes hold the permission? `write` does not include `read`. */
export function holdsPermission(scopes: readonly string[], wanted: Permission): boolean {
  return scopes.includes(ALL_PERMISSIONS) || scopes.includes(wanted);
}
