import type { KycStatus } from '../../domain/parties/kyc/kyc-states.ts';
import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { END_USER_COLUMNS } from './end-user-store.ts';
import type { EndUserRow, EndUserStatus, EndUserType, Relationship } from './end-user-store.ts';
import { TIME_CONDITIONS, timeBounds } from '../client/time-bounds.ts';

export interface EndUserFilter {
  /** One end-user, if they pass the other filters. */
  readonly id?: string;
  readonly type?: EndUserType;
  readonly relationship?: Relationship;
  readonly externalId?: string;
  readonly status?: EndUserStatus;
  readonly kycStatus?: KycStatus;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
}

/** What a filter narrows the list by; it takes the value of the same name. */
const CONDITIONS: Readonly<
  Record<Exclude<keyof EndUserFilter, 'relationship'> | 'before', string>
> = {
  id: 'id = :id',
  type: 'type = :type',
  externalId: 'external_id = :externalId',
  status: 'status = :status',
  kycStatus: 'kyc_status = :kycStatus',
  ...TIME_CONDITIONS,
  before: 'seq < :before',
};

const TIME_BOUNDS = timeBounds('end_users');

/** As the partial index says it: the one SELF is found by it, and nearly all others are CLIENT. */
const IS_OF: Readonly<Record<Relationship, string>> = {
  CLIENT: "relationship = 'CLIENT'",
  SELF: "relationship = 'SELF'",
};

/**
 * End-users that pass every given filter, newest first. Each filter has an index that ends in `seq`, and
 * only those given are in the statement, so that a plan made once for all of them is never met.
 */
export async function listEndUsers(
  tx: ScopedTransaction,
  scope: Scope,
  filter: EndUserFilter,
  page: PageRequest,
): Promise<Page<EndUserRow>> {
  const given = Object.fromEntries(
    Object.entries({ ...filter, before: page.before ?? undefined }).filter(
      ([name, value]) => name in CONDITIONS && value !== undefined,
    ),
  );
  const conditions = [
    ...Object.keys(given).map((name) => CONDITIONS[name as keyof typeof CONDITIONS]),
    ...(filter.relationship === undefined ? [] : [IS_OF[filter.relationship]]),
  ];
  const bounds = Object.entries(TIME_BOUNDS).flatMap(([name, bound]) =>
    name in given ? [bound] : [],
  );
  const rows = await tx.query<EndUserRow>(
    `${bounds.length > 0 ? `WITH bounds AS MATERIALIZED (SELECT ${bounds.join(', ')})` : ''}
     SELECT ${END_USER_COLUMNS} FROM end_users
     WHERE ${['customer_id = :customerId', 'environment = :environment', ...conditions].join(' AND ')}
     ORDER BY seq DESC LIMIT :rows`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      ...given,
      rows: page.limit + 1,
    },
  );
  return toPage(rows, page.limit);
}
