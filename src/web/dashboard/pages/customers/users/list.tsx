import { USERS_MAX } from '../../../../../modules/customers/access/users.ts';
import { listUsers } from '../../../../../db/customers/user-store.ts';
import type { User } from '../../../../../domain/customers/access/person.ts';
import { momentIn } from '../../../../kit/moment-in.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Table, type Column } from '../../../../kit/parts/table.tsx';
import { userOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { may } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { showUser, type ShownUser } from './shown-user.ts';
import { roleWord, STATUS_CHIPS } from './user-words.ts';

/** GET /users: who of the company may log in, and as what. */
export function registerUsers(
  app: WebApp,
  { db, vault }: Pick<DashboardDeps, 'db' | 'vault'>,
): void {
  app.get('/users', { config: { right: 'any-person' } }, async (request, reply) => {
    const viewer = userOf(request);
    const customerId = viewer.customer.id;
    const scope = { customerId, environment: 'test' } as const;
    const rows = await db.list(scope, (tx) => listUsers(tx, customerId, USERS_MAX));
    const users = rows.map((row) => showUser(vault, row, viewer));
    return sendDashboardPage(request, reply, {
      ...{ title: 'Users', environment: null, current: '/users' },
      body: <UserList users={users} viewer={viewer} />,
    });
  });
}

const UserList = ({
  users,
  viewer,
}: {
  readonly users: readonly ShownUser[];
  readonly viewer: User;
}) => (
  <>
    <PageHead
      title="Users"
      about={`Users who can log in to the account of ${viewer.customer.name}.`}
    >
      {may(viewer, 'write-users') ? (
        <a class="button" href="/users/invite">
          Invite a user
        </a>
      ) : null}
    </PageHead>
    <Card title="People" aside={String(users.length)} isFlush>
      <Table
        label="Users"
        columns={columnsFor(viewer)}
        rows={users}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/users/${id}`}
      />
    </Card>
  </>
);

const columnsFor = ({ timeZone }: User): readonly Column<ShownUser>[] => [
  { title: 'Name', cell: ({ name, isSelf }) => (isSelf ? `${name} (you)` : name) },
  { title: 'Email address', cell: ({ address }) => address, isMuted: true },
  { title: 'Role', cell: ({ role }) => roleWord(role) },
  { title: 'Status', cell: ({ status }) => <Chip {...STATUS_CHIPS[status]} /> },
  { title: 'Since', cell: ({ createdAt }) => momentIn(createdAt, timeZone), isMuted: true },
];
