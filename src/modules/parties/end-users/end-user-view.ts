import type {
  EndUserRow,
  EndUserStatus,
  EndUserType,
  Relationship,
} from '../../../db/parties/end-user-store.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import type { KycStatus } from '../../../domain/parties/kyc/kyc-states.ts';
import { isErased } from '../../../vault/owner-key.ts';
import type { Vault } from '../../../vault/vault.ts';
import { endUserOwner, endUserRow } from './end-user-personal.ts';
import type { EndUserPersonal, Person } from './end-user-personal.ts';

/** An end-user as events show them: nothing personal, no metadata. */
interface EndUserFacts {
  readonly id: string;
  readonly type: EndUserType;
  readonly relationship: Relationship;
  readonly externalId: string | null;
  readonly status: EndUserStatus;
  readonly kycStatus: KycStatus;
  readonly erasedAt: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An end-user as the API shows them to their customer, tax ids masked. */
export type EndUserView = EndUserFacts & EndUserPersonal;

/** Nothing personal is left of one who was erased. */
export function viewEndUser(row: EndUserRow, vault: Vault): EndUserView {
  if (isErased(row)) return { ...facts(row), metadata: {} };
  const personal = vault
    .of(endUserOwner(row))
    .openJson<EndUserPersonal>(row.personal, endUserRow(row.id));
  const { individual, business } = personal;
  return {
    ...facts(row),
    ...personal,
    ...(individual && { individual: maskPerson(individual) }),
    ...(business && { business: { ...business, persons: business.persons.map(maskPerson) } }),
  };
}

/** The event of an end-user's present version. */
export function endUserEvent(
  type: 'end_user.created' | 'end_user.updated' | 'end_user.closed',
  row: EndUserRow,
  previous?: Pick<EndUserRow, 'status' | 'kycStatus'>,
): EventDraft {
  return {
    type,
    resourceType: 'end_user',
    resourceId: row.id,
    resourceVersion: row.version,
    data: { ...facts(row) },
    ...(previous && { previous: { status: previous.status, kycStatus: previous.kycStatus } }),
  };
}

function facts(row: EndUserRow): EndUserFacts {
  return {
    id: row.id,
    type: row.type,
    relationship: row.relationship,
    externalId: row.externalId,
    status: row.status,
    kycStatus: row.kycStatus,
    erasedAt: row.erasedAt?.toISOString() ?? null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function maskPerson<Shown extends Person>(person: Shown): Shown {
  if (person.taxIds === undefined) return person;
  const taxIds = person.taxIds.map(({ country, number }) => ({
    country,
    number: `****${number.slice(-4)}`,
  }));
  return { ...person, taxIds };
}
