import { Type } from 'typebox';
import { doesApprovalWait } from '../../../../../db/approvals/approval-store.ts';
import type { ScopedTransaction } from '../../../../../db/client/database.ts';
import { countPasskeys } from '../../../../../db/customers/passkey-store.ts';
import { findUser } from '../../../../../db/customers/user-store.ts';
import type { User } from '../../../../../domain/customers/access/person.ts';
import { momentIn } from '../../../../kit/moment-in.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { userOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { may } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { showUser, type ShownUser } from './shown-user.ts';
import { UserForms, type LostPasskeys } from './user-forms.tsx';
import { roleWord, STATUS_CHIPS } from './user-words.ts';

export const USER_PARAMS = Type.Object({ id: Type.String() });

/** GET /users/{id}: one user, and to owners what they may change. */
export function registerUser(
  app: WebApp,
  { db, vault, clock }: Pick<DashboardDeps, 'db' | 'vault' | 'clock'>,
): void {
  app.get(
    '/users/:id',
    { config: { right: 'any-person' }, schema: { params: USER_PARAMS } },
    async (request, reply) => {
      const viewer = userOf(request);
      const customerId = viewer.customer.id;
      const mayWrite = may(viewer, 'write-users');
      // What two operators decide about a customer's people is of live.
      const found = await db.read({ customerId, environment: 'live' }, async (tx) => {
        const row = await findUser(tx, customerId, request.params.id);
        return (
          row && { row, passkeys: mayWrite ? await readLost(tx, row.id, clock.now()) : 'NONE' }
        );
      });
      if (found === null) throw noSuchPage();
      const user = showUser(vault, found.row, viewer);
      return sendDashboardPage(request, reply, {
        ...{ title: user.name, environment: null, current: '/users' },
        body: (
          <>
            <PageHead title={user.name} trail={{ href: '/users', text: 'Users', here: user.id }} />
            <UserFacts user={user} viewer={viewer} />
            {mayWrite ? (
              <UserForms
                user={user}
                passkeys={found.passkeys}
                newForm={(path) => reply.newForm(path)}
              />
            ) : null}
          </>
        ),
      });
    },
  );
}

/** Whether a user has passkeys to lose, and whether their removal was asked for. */
async function readLost(tx: ScopedTransaction, userId: string, now: Date): Promise<LostPasskeys> {
  if ((await countPasskeys(tx, [userId])).size === 0) return 'NONE';
  const subject = { action: 'REMOVE_PASSKEYS', subjectId: userId } as const;
  return (await doesApprovalWait(tx, subject, now)) ? 'ASKED' : 'SOME';
}

const UserFacts = ({ user, viewer }: { readonly user: ShownUser; readonly viewer: User }) => (
  <Card title="User">
    <Facts
      facts={[
        ['Email address', user.address],
        ['Role', roleWord(user.role)],
        ['Status', <Chip {...STATUS_CHIPS[user.status]} />],
        ['Since', momentIn(user.createdAt, viewer.timeZone)],
        ...(user.invitedUntil === null
          ? []
          : ([['Link expires', momentIn(user.invitedUntil, viewer.timeZone)]] as const)),
      ]}
    />
  </Card>
);
