import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '../../domain/customers/access/person.ts';
import {
  USER_RIGHTS,
  type UserRight,
  type UserRole,
} from '../../domain/customers/access/user-rights.ts';
import { ENVIRONMENTS, type Environment, type Scope } from '../../domain/scope.ts';
import { noSuchPage } from '../kit/page-refusal.ts';
import { EmptyState } from '../kit/parts/empty-state.tsx';
import { PageHead } from '../kit/parts/page-head.tsx';
import { userOf } from '../kit/person.ts';
import { sendDashboardPage } from './parts/dashboard-page.tsx';

/** What a page of one environment is about: whose, which, and how its user is called and told times. */
export interface Place {
  readonly user: User;
  readonly environment: Environment;
  readonly scope: Scope;
}

/** Of a path that begins with an environment. Throws noSuchPage for any other beginning. */
function placeOf(request: FastifyRequest): Place {
  const { env } = request.params as { readonly env?: string };
  const environment = ENVIRONMENTS.find((one) => one === env);
  if (environment === undefined) throw noSuchPage();
  const user = userOf(request);
  return { user, environment, scope: { customerId: user.customer.id, environment } };
}

/** Whether real money moves there, in live: what is made from now on takes that, what was made stays to be seen. */
export const isOpenForNew = ({ user, environment }: Omit<Place, 'scope'>): boolean =>
  environment === 'test' || user.customer.hasLiveAccess;

/** What a page or an act of one environment is for: MAKE something new, or what there is. */
type Purpose = 'MAKE' | 'KEEP';

const isClosed = (place: Place, purpose: Purpose): boolean =>
  purpose === 'MAKE'
    ? !isOpenForNew(place)
    : place.environment === 'live' && !place.user.customer.hadLiveAccess;

/**
 * Where a page of one environment is asked for. Null: it is live and the customer never had live access, or, to
 * make something new, has none now, and the page that leads to the checklist has been answered, whatever id was
 * asked for.
 */
export async function openPlace(
  request: FastifyRequest,
  reply: FastifyReply,
  page: { readonly title: string; readonly current: string; readonly purpose?: Purpose },
): Promise<Place | null> {
  const place = placeOf(request);
  if (!isClosed(place, page.purpose ?? 'KEEP')) return place;
  await sendDashboardPage(request, reply, {
    ...{ title: page.title, environment: 'live', current: `/live${page.current}` },
    body: <WithoutLiveAccess title={page.title} />,
  });
  return null;
}

/** The same for what is no page: a form that was sent, a file. Throws noSuchPage where it is closed. */
export function requirePlace(request: FastifyRequest, purpose: Purpose = 'KEEP'): Place {
  const place = placeOf(request);
  if (isClosed(place, purpose)) throw noSuchPage();
  return place;
}

/** Whether a user's role has a right. */
export function hasRight({ role }: User, right: UserRight): boolean {
  const roles: readonly UserRole[] = USER_RIGHTS[right].roles;
  return roles.includes(role);
}

/** Whether a form of a right is to be offered to a user: a suspended customer's users change nothing. */
export const may = (user: User, right: UserRight): boolean =>
  hasRight(user, right) && !user.customer.isSuspended;

const WithoutLiveAccess = ({ title }: { readonly title: string }) => (
  <>
    <PageHead title={title} />
    <EmptyState
      title="You do not have live access"
      action={{ href: '/going-live', text: 'Open the checklist' }}
    >
      You can move real money here when your company is verified and two operators have approved
      your request. The checklist shows what is left to do.
    </EmptyState>
  </>
);
