import { Type } from 'typebox';
import { listStatementLines } from '../../../../db/reconciliation/statement-page-store.ts';
import { findStatement, type StatementRow } from '../../../../db/reconciliation/statement-store.ts';
import { sumUnprovenLines } from '../../../../db/reconciliation/unproven-line-store.ts';
import {
  ACCEPT_STATEMENT,
  ACCEPT_SUMS,
} from '../../../../modules/operations/acts/reconciliation-acts.ts';
import { noSuchPage } from '../../../kit/page-refusal.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Chip } from '../../../kit/parts/chip.tsx';
import { Facts } from '../../../kit/parts/facts.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../kit/person.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { Coded } from '../../parts/coded.tsx';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { Lead } from '../../parts/lead.tsx';
import { ROWS_MAX } from '../../parts/list-page.tsx';
import { momentOrDash } from '../../parts/moments.ts';
import { stepOf, stepOutside, WhatToDo } from '../../parts/what-to-do.tsx';
import { environmentWords } from '../../words/payment-fact-words.ts';
import { exceptionWords, statementWords } from '../../words/statement-words.ts';
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
      const unproven = await deps.db.system((tx) => sumUnprovenLines(tx, statement.id, null));
      const isUnproven = unproven.length > 0;
      const base = `/statements/${String(statement.id)}`;
      const isRefused = statement.status === 'REFUSED';
      const isUnreadable = statement.status === 'UNREADABLE';
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
                text={statementWords(statement.status).text}
              />
            </PageHead>
            <Lead sentences={[statementWords(statement.status).sentence]} />
            <WhatToDo
              operator={operatorOf(request)}
              recommended={isRefused ? ASK_NUMBER : isUnreadable ? ASK_AGAIN : null}
              others={[
                ...(isRefused ? [stepOf(ACCEPT_STATEMENT, String(statement.id))] : []),
                ...(isUnproven ? [stepOf(ACCEPT_SUMS, String(statement.id))] : []),
              ]}
            />
            <Card title="Details">
              <Facts
                facts={[
                  ['Bank', statement.connector],
                  ['Environment', environmentWords(statement.environment)],
                  ['Number', String(statement.sequence)],
                  ['Until (UTC)', momentOrDash(statement.toAt)],
                  ['Status', <code class="code-beside">{statement.status}</code>],
                  ['Problems', <Problems codes={statement.problems.map(({ code }) => code)} />],
                ]}
              />
            </Card>
            <p>
              <a href={base}>All lines</a> · <a href={`${base}?show=exceptions`}>Only exceptions</a>
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

const ASK_NUMBER = stepOutside(
  'Ask the bank whether the number is right',
  'Ask the bank whether a statement is missing. If one is missing, wait for it: the engine reads it first. Accept the number only if the bank confirms it in writing. Lines of a missing statement are not matched.',
);
const ASK_AGAIN = stepOutside(
  'Ask the bank for a corrected statement',
  'The problems below say what is wrong with it. The payments on it stay unreconciled until the engine can read it.',
);

const Problems = ({ codes }: { readonly codes: readonly string[] }) =>
  codes.length === 0 ? (
    <>None</>
  ) : (
    <>
      {codes.map((code) => (
        <div key={code}>
          <Coded {...exceptionWords(code)} />
        </div>
      ))}
    </>
  );
