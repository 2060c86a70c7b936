import { acceptRefusedStatement } from '../../../../modules/reconciliation/accept-refused-statement.ts';
import type { StatementRow } from '../../../../db/reconciliation/statement-store.ts';
import { PageRefusal } from '../../../kit/page-refusal.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import { serveAct } from '../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../console-deps.ts';
import { loadStatement } from './statement.tsx';

/** /statements/{id}/accept: a statement whose number was refused is read after all. */
export function serveStatementActs(app: WebApp, deps: ConsoleDeps): void {
  serveAct(app, deps, {
    ...{ path: '/statements/:id/accept', current: '/reconciliation', fields: {} },
    ...({ right: 'decide-reconciliation', actingIn: 'system' } as const),
    load: ({ id }) => loadStatement(deps, id),
    page: (statement: StatementRow) => ({
      ...{ title: 'Accept the number of a statement', submit: 'Accept' },
      words: `Accept statement ${String(statement.id)}`,
      trail: {
        ...{ href: `/statements/${String(statement.id)}`, text: 'Statement' },
        here: String(statement.id),
      },
      about: (
        <p>
          Its number ({String(statement.sequence)}) does not follow the one before. Once the bank
          has confirmed it, it is read with the next fetch.
        </p>
      ),
    }),
    async perform({ subject, act, deps: acting }) {
      const isTaken = await acceptRefusedStatement(acting, subject, subject.bankStatementId, act);
      if (!isTaken) {
        throw new PageRefusal(409, 'Nothing to accept', `It is ${subject.status}, not refused.`);
      }
      return `/statements/${String(subject.id)}`;
    },
  });
}
