import { personNameRow } from '../../../../../domain/customers/access/person-rows.ts';
import { listAudit, type FullAuditRow } from '../../../../../db/operations/audit-list-store.ts';
import type { Vault } from '../../../../../vault/vault.ts';
import { registerAuditPage } from '../../../../kit/pages/audit-page.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';

/** GET /audit: who did what, of every customer; reasons as they were given. */
export function registerAuditLog(app: WebApp, { db, vault }: ConsoleDeps): void {
  registerAuditPage<FullAuditRow>(app, {
    listName: 'console-audit-log',
    about: 'Who did what, and why. It is only ever added to.',
    actors: ['Users, operators and the engine', 'Users of customers', 'Operators'],
    isOfAllCustomers: true,
    timeZoneOf: (request) => operatorOf(request).timeZone,
    find: (_request, filter, page) => db.system((tx) => listAudit(tx, filter, page)),
    columns: (times) => [
      { title: `At (${times.zone})`, cell: ({ at }) => times.moment(at) },
      { title: 'Who', cell: (row) => actorOf(vault, row) },
      { title: 'What', cell: ({ action }) => action },
      { title: 'About', cell: (row) => <code>{row.subject}</code> },
      { title: 'Customer', cell: (row) => <Customer row={row} /> },
      { title: 'Where', isMuted: true, cell: (row) => row.environment ?? '–' },
      { title: 'Reason', cell: ({ details }) => reasonOf(details) },
    ],
    send: sendConsolePage,
  });
}

/** Operators by name; users of customers by id alone, for their names are personal data. */
function actorOf(vault: Pick<Vault, 'open'>, { actor, operatorName }: FullAuditRow): string {
  if (operatorName === null) return actor;
  const id = actor.slice('operator:'.length);
  return vault.open(operatorName, personNameRow(id)).toString();
}

const reasonOf = ({ reason }: FullAuditRow['details']): string =>
  typeof reason === 'string' ? reason : '–';

const Customer = ({ row: { customerId } }: { readonly row: FullAuditRow }) =>
  customerId === null ? <>–</> : <a href={`/customers/${customerId}`}>{customerId}</a>;
