import { listUnsentMails } from '../../../db/customers/mail-store.ts';
import { Chip } from '../../kit/parts/chip.tsx';
import { PageHead } from '../../kit/parts/page-head.tsx';
import type { WebApp } from '../../kit/web-deps.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { sendConsolePage } from '../parts/console-page.tsx';
import { ROWS_MAX, Waiting } from '../parts/list-page.tsx';
import { moment, momentOrDash } from '../parts/moments.ts';

/** GET /mails: those that failed or expired, newest first. To whom they were is sealed. */
export function registerMails(app: WebApp, { db }: ConsoleDeps): void {
  app.get('/mails', { config: { right: 'see' } }, async (request, reply) => {
    const rows = await db.system((tx) => listUnsentMails(tx, ROWS_MAX + 1));
    return sendConsolePage(request, reply, {
      title: 'Mails',
      current: '/mails',
      body: (
        <>
          <PageHead title="Mails" about="Those that were not sent in the last 90 days." />
          <Waiting
            label="Mails that were not sent"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Mail', cell: ({ id }) => <code>{id}</code> },
              { title: 'Kind', cell: ({ kind }) => kind },
              {
                title: 'Status',
                cell: ({ status }) => (
                  <Chip tone={status === 'FAILED' ? 'bad' : 'wait'} text={status} />
                ),
              },
              { title: 'Why', cell: ({ failure }) => failure ?? '–' },
              { title: 'Tries', isNumber: true, cell: ({ tries }) => String(tries) },
              { title: 'Written (UTC)', isMuted: true, cell: (row) => moment(row.createdAt) },
              { title: 'Ended (UTC)', isMuted: true, cell: (row) => momentOrDash(row.endedAt) },
            ]}
            empty={{ title: 'Every mail was sent', text: 'None that is over failed or expired.' }}
          />
        </>
      ),
    });
  });
}
