import { Type } from 'typebox';
import { listStatementLines } from '../../../../db/reconciliation/statement-page-store.ts';
import { findStatement, type StatementRow } from '../../../../db/reconciliation/statement-store.ts';
import { noSuchPage } from '../../../kit/page-refusal.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Chip } from '../../../kit/parts/chip.tsx';
import { Facts } from '../../../kit/parts/facts.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../kit/person.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { ActLinks } from '../../parts/act-links.tsx';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { ROWS_MAX } from '../../parts/list-page.tsx';
import { momentOrDash } from '../../parts/moments.ts';
import { LinesTable } from './lines.tsx';

const SCHEMA = {
  params: Type.Object({ id: Type.String() }),
  querystring: Type.Object({
    after: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })),
    show: Type.Optional(Type.Enum(['all', 'exceptions'])),
  }),
};

/** A statement by our number of it; 404 for what is no number of one. */
export async function loadStatement({ db }: ConsoleDeps, id: string): Promise<StatementRow> {
  const found = /^[0-9]{1,18}$/.test(id)
    ? await db.system((tx) => findStatement(tx, BigInt(id)))
    : null;
  if (found === null) throw noSuchPage();
  return found;
}

/** GET /statements/{id}: one statement of the bank and its lines. */
export function registerStatement(app: WebApp, deps: ConsoleDeps): void {
  app.get(
    '/statements/:id',
    { config: { right: 'see' }, schema: SCHEMA },
    async (request, reply) => {
      const statement = await loadStatement(deps, request.params.id);
      const { after = '0', show = 'all' } = request.query;
      const page = { afterLine: Number(after), isExceptionsOnly: show === 'exceptions' };
      const lines = await deps.db.system((tx) =>
        listStatementLines(tx, statement.id, page, ROWS_MAX + 1),
      );
      const base = `/statements/${String(statement.id)}`;
      const accept = { href: `${base}/accept`, text: 'Accept its number' };
      return sendConsolePage(request, reply, {
        title: `Statement ${statement.bankStatementId}`,
        current: '/reconciliation',
        body: (
          <>
            <PageHead
              title={`Statement ${statement.bankStatementId}`}
              trail={{
                href: '/reconciliation',
                text: 'Reconciliation',
                here: String(statement.id),
              }}
            >
              <Chip
                tone={statement.status === 'RECONCILED' ? 'ok' : 'wait'}
                text={statement.status}
              />
            </PageHead>
            <Card title="Facts">
              <Facts
                facts={[
                  ['Bank', statement.connector],
                  ['Environment', statement.environment],
                  ['Number', String(statement.sequence)],
                  ['Until (UTC)', momentOrDash(statement.toAt)],
                  ['Problems', statement.problems.map(({ code }) => code).join(', ') || 'none'],
                ]}
              />
            </Card>
            {statement.status === 'REFUSED' ? (
              <ActLinks
                operator={operatorOf(request)}
                links={[{ ...accept, right: 'decide-reconciliation' }]}
              />
            ) : null}
            <p>
              <a href={base}>All lines</a> ·{' '}
              <a href={`${base}?show=exceptions`}>Exceptions alone</a>
            </p>
            <LinesTable
              lines={lines}
              nextHref={(last) => `${base}?show=${show}&after=${String(last)}`}
            />
          </>
        ),
      });
    },
  );
}
