import { listOwnAudit, type AuditRow } from '../../../../../db/operations/audit-list-store.ts';
import { registerAuditPage } from '../../../../kit/pages/audit-page.tsx';
import { userOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { actionWord, actorWord, subjectHref } from '../../../words/audit-words.ts';

/** GET /audit: what the company's users did, and operators about it. */
export function registerAuditLog(app: WebApp, { db, vault }: DashboardDeps): void {
  registerAuditPage<AuditRow>(app, {
    listName: 'audit-log',
    about: 'Changes by your users, and by operators to your company.',
    actors: ['Users and operators', 'Your users', 'Operators'],
    isOfAllCustomers: false,
    timeZoneOf: (request) => userOf(request).timeZone,
    find(request, filter, page) {
      const customerId = userOf(request).customer.id;
      // The entries are the company's, whichever environment they are of.
      return db.list({ customerId, environment: 'test' }, (tx) =>
        listOwnAudit(tx, customerId, filter, page),
      );
    },
    columns: (times) => [
      { title: `Time (${times.zone})`, cell: ({ at }) => times.moment(at) },
      { title: 'Who', cell: (row) => actorWord(vault, row) },
      { title: 'What', cell: (row) => actionWord(row.action) },
      { title: 'About', cell: (row) => <Subject row={row} /> },
      { title: 'Where', isMuted: true, cell: (row) => row.environment ?? 'company' },
    ],
    send: (request, reply, page) =>
      sendDashboardPage(request, reply, { ...page, environment: null }),
  });
}

const Subject = ({ row }: { readonly row: AuditRow }) => {
  const href = subjectHref(row);
  const id = <code>{row.subject}</code>;
  return href === null ? id : <a href={href}>{id}</a>;
};
