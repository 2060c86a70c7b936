import {
  findRestoreMode,
  type RestoreMode,
} from '../../../../../db/operations/restore-mode-store.ts';
import { listReleaseStops } from '../../../../../db/operations/release-stop-store.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { ActLinks, type ActLink } from '../../../parts/act-links.tsx';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { ROWS_MAX, Waiting } from '../../../parts/list-page.tsx';
import { moment } from '../../../parts/moments.ts';
import { filterText } from '../../../../../modules/operations/acts/release-acts.ts';

/** GET /release: what keeps payments from leaving, and whether the bank is asked before every first send. */
export function registerRelease(app: WebApp, { db }: ConsoleDeps): void {
  app.get('/release', { config: { right: 'see' } }, async (request, reply) => {
    const { stops, mode } = await db.system(async (tx) => ({
      stops: await listReleaseStops(tx, ROWS_MAX + 1),
      mode: await findRestoreMode(tx),
    }));
    return sendConsolePage(request, reply, {
      title: 'Release',
      current: '/release',
      body: (
        <>
          <PageHead title="Release" about="What keeps payments from leaving for the bank.">
            <ActLinks
              operator={operatorOf(request)}
              links={[{ href: '/release/stop', text: 'Stop payments', right: 'decide-payments' }]}
            />
          </PageHead>
          <Waiting
            label="Stops in force"
            rows={stops}
            keyOf={({ id }) => String(id)}
            hrefOf={({ id }) => `/release/${String(id)}/resume`}
            columns={[
              { title: 'Stopped', cell: filterText },
              { title: 'By', cell: ({ stoppedBy }) => stoppedBy },
              { title: 'Reason', cell: ({ reason }) => reason },
              { title: 'Since (UTC)', isMuted: true, cell: ({ stoppedAt }) => moment(stoppedAt) },
            ]}
            empty={{ title: 'No stop is in force', text: 'Payments leave as they are due.' }}
          />
          <Card title="Restore mode" aside={mode === null ? 'Off' : 'On'}>
            <p>{modeText(mode)}</p>
            <ActLinks operator={operatorOf(request)} links={[switchOf(mode)]} />
          </Card>
        </>
      ),
    });
  });
}

const modeText = (mode: RestoreMode | null): string =>
  mode === null
    ? 'Payments are sent without asking the bank first. Begin it after the database was restored to an earlier moment.'
    : `The bank is asked before every first send, since ${moment(mode.begunAt)} by ${mode.begunBy}: ${mode.reason}`;

const switchOf = (mode: RestoreMode | null): ActLink => ({
  href: mode === null ? '/release/restore-begin' : '/release/restore-end',
  text: mode === null ? 'Begin restore mode' : 'End restore mode',
  right: 'decide-payments',
});
