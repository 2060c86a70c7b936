import { unmaskEndUser } from '../../../../../modules/parties/end-users/unmask-end-user.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { requirePlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { Unmasked } from '../../../parts/unmasked.tsx';

/** POST /{env}/end-users/{id}/unmask: shows once what is masked on their page, and writes the look down. */
export function registerUnmaskEndUser(app: WebApp, deps: DashboardDeps): void {
  app.post(
    '/:env/end-users/:endUserId/unmask',
    { config: { right: 'unmask-personal-data', form: {} } },
    async (request, reply) => {
      const { scope, user, environment } = requirePlace(request);
      const { endUserId } = request.params as { readonly endUserId: string };
      const data = await deps.db.write(scope, async (tx) => {
        await request.sentForm?.use(tx);
        const actor = { kind: 'USER', id: user.id } as const;
        return unmaskEndUser(deps, tx, scope, { endUserId, actor });
      });
      const current = `/${environment}/end-users`;
      return sendDashboardPage(request, reply.code(201), {
        ...{ title: 'Personal data of an end-user', environment, current },
        body: (
          <Unmasked
            of={{ href: `${current}/${endUserId}`, text: 'End-user', here: endUserId }}
            at={timeText(user.timeZone).moment(deps.clock.now())}
            data={data}
          />
        ),
      });
    },
  );
}
