import type { WebApp } from '../../../../kit/web-deps.ts';
import { openPlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { newKeyValues } from './key-rules.ts';
import { NewKeyPage } from './new-key-page.tsx';

/** GET /{env}/keys/new */
export function registerNewKey(app: WebApp): void {
  app.get('/:env/keys/new', { config: { right: 'write-keys' } }, async (request, reply) => {
    const page = { title: 'Create a key', current: '/keys', purpose: 'MAKE' } as const;
    const place = await openPlace(request, reply, page);
    if (place === null) return reply;
    const { environment } = place;
    const path = `/${environment}/keys`;
    return sendDashboardPage(request, reply, {
      ...{ title: 'Create a key', environment, current: path },
      body: (
        <NewKeyPage
          {...{ path, environment, values: newKeyValues(environment), problems: [] }}
          token={reply.newForm(path)}
        />
      ),
    });
  });
}
