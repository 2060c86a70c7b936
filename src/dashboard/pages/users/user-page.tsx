import { Type } from 'typebox';
import { findUser } from '../../../db/user-store.ts';
import type { User } from '../../../domain/access/person.ts';
import { momentIn } from '../../../web/moment-in.ts';
import { noSuchPage } from '../../../web/page-refusal.ts';
import { Card } from '../../../web/parts/card.tsx';
import { Chip } from '../../../web/parts/chip.tsx';
import { Facts } from '../../../web/parts/facts.tsx';
import { PageHead } from '../../../web/parts/page-head.tsx';
import { userOf } from '../../../web/person.ts';
import type { WebApp } from '../../../web/web-deps.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { may } from '../../environment.tsx';
import { sendDashboardPage } from '../../parts/dashboard-page.tsx';
import { showUser, type ShownUser } from './shown-user.ts';
import { UserForms } from './user-forms.tsx';
import { roleWord, STATUS_CHIPS } from './user-words.ts';

export const USER_PARAMS = Type.Object({ id: Type.String() });

/** GET /users/{id}: one user, and to owners what they may change. */
export function serveUser(app: WebApp, { db, vault }: Pick<DashboardDeps, 'db' | 'vault'>): void {
  app.get(
    '/users/:id',
    { config: { right: 'any-person' }, schema: { params: USER_PARAMS } },
    async (request, reply) => {
      const viewer = userOf(request);
      const customerId = viewer.customer.id;
      const row = await db.read({ customerId, environment: 'test' }, (tx) =>
        findUser(tx, customerId, request.params.id),
      );
      if (row === null) throw noSuchPage();
      const user = showUser(vault, row, viewer);
      return sendDashboardPage(request, reply, {
        ...{ title: user.name, environment: null, current: '/users' },
        body: (
          <>
            <PageHead title={user.name} trail={{ href: '/users', text: 'Users', here: user.id }} />
            <UserFacts user={user} viewer={viewer} />
            {may(viewer, 'write-users') ? (
              <UserForms user={user} newForm={(path) => reply.newForm(path)} />
            ) : null}
          </>
        ),
      });
    },
  );
}

const UserFacts = ({ user, viewer }: { readonly user: ShownUser; readonly viewer: User }) => (
  <Card title="User">
    <Facts
      facts={[
        ['E-mail address', user.address],
        ['Role', roleWord(user.role)],
        ['Status', <Chip {...STATUS_CHIPS[user.status]} />],
        ['Since', momentIn(user.createdAt, viewer.timeZone)],
        ...(user.invitedUntil === null
          ? []
          : ([['Link good until', momentIn(user.invitedUntil, viewer.timeZone)]] as const)),
      ]}
    />
  </Card>
);
