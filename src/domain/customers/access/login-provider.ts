import { OPERATOR_ROLES, type OperatorRole } from './operator-rights.ts';

/** What a browser keeps between its way to a login provider and back. */
export interface ProviderVisit {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Whom the provider says that the browser belongs to. */
export interface ProviderIdentity {
  /** As `readEmailAddress` answers it; null unless the provider has verified it. */
  readonly address: string | null;
  /** The operator roles that its claim grants. */
  readonly roles: readonly OperatorRole[];
}

/** The provider cannot be reached, or does not work. */
interface ProviderFailure {
  readonly kind: 'FAILED';
  readonly code: string;
}

interface StartedVisit {
  readonly kind: 'STARTED';
  readonly url: string;
  readonly visit: ProviderVisit;
}

export type ProviderAnswer =
  | { readonly kind: 'IDENTITY'; readonly identity: ProviderIdentity }
  /** The person, or the provider, ended the login, or this is no answer to the visit. */
  | { readonly kind: 'REFUSED'; readonly code: string }
  | ProviderFailure;

/** An OpenID Connect provider that people of one surface log in with. */
export interface LoginProvider {
  /** What its button says. */
  readonly name: string;
  /** Its issuer identifier (OpenID Connect Core 1.0, section 1.2). */
  readonly issuer: string;
  /** No other login works on the surface: no code by mail, and no passkey alone. */
  readonly isOnly: boolean;
  /** Whether the claim of roles limits who may log in. */
  readonly hasRoles: boolean;
  /** Where to send the browser. */
  start(): Promise<StartedVisit | ProviderFailure>;
  /** Judges what the browser came back with: the query of its URL. */
  finish(query: string, visit: ProviderVisit): Promise<ProviderAnswer>;
}

const PAIR = /^([^=,]{1,200})=([A-Z]+)$/;

/** Reads `payouts-admins=ADMIN,payouts-ops=OPERATIONS`; null where that is no such list. */
export function readRoleMapping(text: string): ReadonlyMap<string, OperatorRole> | null {
  const mapping = new Map<string, OperatorRole>();
  for (const part of text.split(',')) {
    const [, value = '', given = ''] = PAIR.exec(part.trim()) ?? [];
    const role = OPERATOR_ROLES.find((one) => one === given);
    if (role === undefined || mapping.has(value)) return null;
    mapping.set(value, role);
  }
  return mapping;
}

/** The roles that a claim grants: a text, or a list of texts. Other values grant none. */
export function grantedRoles(
  mapping: ReadonlyMap<string, OperatorRole>,
  claim: unknown,
): readonly OperatorRole[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return [...mapping].filter(([value]) => values.includes(value)).map(([, role]) => role);
}
