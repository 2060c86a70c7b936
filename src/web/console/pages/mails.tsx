import { listUnsentMails } from '../../../db/customers/mail-store.ts';
import { Chip } from '../../kit/parts/chip.tsx';
import { PageHead } from '../../kit/parts/page-head.tsx';
import type { WebApp } from '../../kit/web-deps.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { sendConsolePage } from '../parts/console-page.tsx';
import { ROWS_MAX, Waiting } from '../parts/list-page.tsx';
import { moment, momentOrDash } from '../parts/moments.ts';

/** GET /mails: those that failed or expired, newest first. Their recipients are encrypted. */
export function registerMails(app: WebApp, { db }: ConsoleDeps): void {
  app.get('/mails', { config: { right: 'see' } }, async (request, reply) => {
    const rows = await db.system((tx) => listUnsentMails(tx, ROWS_MAX + 1));
    return sendConsolePage(request, reply, {
      title: 'Unsent emails',
      current: '/mails',
      body: (
        <>
          <PageHead
            title="Unsent emails"
            about="Emails of the last 90 days that failed or expired, newest first."
          />
          <Waiting
            label="Unsent emails"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Email', cell: ({ id }) => <code>{id}</code> },
              { title: 'Kind', cell: ({ kind }) => kind },
              {
                title: 'Status',
                cell: ({ status }) => (
                  <Chip
                    tone={status === 'FAILED' ? 'bad' : 'wait'}
                    text={status === 'FAILED' ? 'Failed' : 'Expired'}
                  />
                ),
              },
              { title: 'Why', cell: ({ failure }) => failure ?? '–' },
              { title: 'Tries', isNumber: true, cell: ({ tries }) => String(tries) },
              { title: 'Created (UTC)', isMuted: true, cell: (row) => moment(row.createdAt) },
              { title: 'Ended (UTC)', isMuted: true, cell: (row) => momentOrDash(row.endedAt) },
            ]}
            empty={{ title: 'Every email was sent', text: 'No email failed or expired.' }}
          />
        </>
      ),
    });
  });
}
