import { Type } from 'typebox';
import { listApprovalsOf, type ApprovalRow } from '../../../../../db/approvals/approval-store.ts';
import { readCustomerNames } from '../../../../../db/customers/customer-status-store.ts';
import {
  listExceptionActs,
  type ExceptionHistoryRow,
} from '../../../../../db/reconciliation/exception-act-store.ts';
import { findStatement } from '../../../../../db/reconciliation/statement-store.ts';
import {
  fromExceptionPath,
  toExceptionPath,
} from '../../../../../domain/reconciliation/exceptions/exception-path.ts';
import {
  APPLY_EXCEPTION_ACT,
  REVERSE_EXCEPTION_ACT,
} from '../../../../../modules/operations/acts/exception-acts.ts';
import {
  findShownException,
  type ShownException,
} from '../../../../../modules/reconciliation/exceptions/find-shown-exception.ts';
import { isCreditInSuspense } from '../../../../../modules/reconciliation/exceptions/judge-exception.ts';
import { durationWords } from '../../../../kit/duration-words.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Table, type Column } from '../../../../kit/parts/table.tsx';
import { Timeline, type TimelineStep } from '../../../../kit/parts/timeline.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { Coded } from '../../../parts/coded.tsx';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { CustomerLink } from '../../../parts/customer-link.tsx';
import { Lead } from '../../../parts/lead.tsx';
import { moment } from '../../../parts/moments.ts';
import { stepOf, WhatToDo, type Step } from '../../../parts/what-to-do.tsx';
import { environmentWords } from '../../../words/payment-fact-words.ts';
import { exceptionWords } from '../../../words/statement-words.ts';
import { stateOf } from '../../approvals/approval-words.ts';
import { openText, suggestedText } from './acts.tsx';
import { compareSides, type ComparedField } from './compare-sides.ts';
import { EXCEPTIONS_PATH } from './exception-href.ts';

/** GET /reconciliation/exceptions/{id}: both sides of one exception, what was done about it, and what can be done. */
export function registerException(app: WebApp, deps: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String({ maxLength: 100 }) }) };
  app.get(
    `${EXCEPTIONS_PATH}/:id`,
    { config: { right: 'see' }, schema },
    async (request, reply) => {
      const { shown, fields, acts, proposals, name } = await readAll(deps, request.params.id);
      const now = deps.clock.now();
      const steps = stepsOf(shown, acts);
      return sendConsolePage(request, reply, {
        title: `Exception ${shown.id}`,
        current: EXCEPTIONS_PATH,
        body: (
          <>
            <PageHead
              title={exceptionWords(shown.exception).words}
              trail={{ href: EXCEPTIONS_PATH, text: 'Exceptions', here: shown.id }}
            >
              {shown.endedBy === null ? (
                <Chip tone="wait" text="Open" />
              ) : (
                <Chip tone="ok" text="Ended" />
              )}
            </PageHead>
            <Lead sentences={sentencesOf(shown, now)} />
            <Card title="Both sides" isFlush>
              <Table
                label="What we hold beside what the bank says"
                rows={fields}
                columns={SIDES}
                keyOf={({ name: key, ours, bank }) => `${key} ${ours} ${bank}`}
              />
            </Card>
            <WhatToDo operator={operatorOf(request)} recommended={null} others={steps} />
            <div class="columns">
              <div>
                <Card title="Acts">
                  {acts.length === 0 ? (
                    <p class="nothing">No act was taken.</p>
                  ) : (
                    <Timeline steps={acts.map(timelineStep)} />
                  )}
                </Card>
                <Proposals proposals={proposals} now={now} />
              </div>
              <div>
                <Card title="Details">
                  <Facts facts={factsOf(shown, name)} />
                </Card>
              </div>
            </div>
          </>
        ),
      });
    },
  );
}

/** All that the page shows, of one moment. Throws PageRefusal where there is no such exception. */
const readAll = ({ db }: ConsoleDeps, path: string) =>
  db.system(async (tx) => {
    const shown = await findShownException(tx, fromExceptionPath(path));
    if (shown === null) throw noSuchPage();
    const { id, line, payment, customerId } = shown;
    const isOfStatement = line === null && payment === null;
    const statement = isOfStatement ? await findStatement(tx, statementOf(shown)) : null;
    const problems = statement?.problems ?? [];
    const names = await readCustomerNames(tx, customerId === null ? [] : [customerId]);
    return {
      ...{ shown, fields: compareSides({ row: shown, payment, problems }) },
      acts: await listExceptionActs(tx, id),
      proposals: await listApprovalsOf(tx, { action: 'EXCEPTION_ACT', subjectId: id }),
      name: names.get(customerId ?? ''),
    };
  });

/** The number of the statement, which the ids of its lines and problems begin with. */
const statementOf = ({ id }: ShownException): bigint => BigInt(id.split('/')[0] ?? '0');

const SIDES: readonly Column<ComparedField>[] = [
  { title: 'Field', cell: ({ name }) => name },
  { title: 'What we hold', cell: ({ ours }) => ours },
  { title: 'What the bank says', cell: ({ bank }) => bank },
  {
    title: 'Compared',
    cell: ({ isDifferent, ours, bank }) => {
      if (isDifferent) return <Chip tone="bad" text="Differs" />;
      return ours === bank ? <Chip tone="ok" text="Same" /> : '–';
    },
  },
];

function sentencesOf(shown: ShownException, now: Date): readonly string[] {
  const { endedBy, since } = shown;
  if (endedBy !== null) return [`Act ${endedBy} has ended this exception.`];
  const waited = `It has been open for ${durationWords(now.getTime() - since.getTime())}.`;
  if (shown.open !== null && isCreditInSuspense(shown)) {
    return [
      waited,
      `${openText(shown)} is in suspense. If it is the return of a payment, name the payment. Otherwise decide on the page of its credit.`,
    ];
  }
  if (shown.bookedElsewhere !== null) {
    return [
      waited,
      `${shown.bookedElsewhere} No money is missing in the books. Ask the bank which of the two it is.`,
    ];
  }
  return [
    waited,
    shown.open === null
      ? 'No money is missing in the books.'
      : `The books lack ${openText(shown)}: ${shown.open.minor < 0n ? 'it left the bank' : 'it came in'}.`,
    ...(shown.mayTakeBack === null ? [] : [shown.mayTakeBack]),
  ];
}

/** What ends it, or takes the last act back. */
function stepsOf(shown: ShownException, acts: readonly ExceptionHistoryRow[]): readonly Step[] {
  const { id, endedBy } = shown;
  const last = acts.findLast(({ act, isReversed }) => act !== 'REVERSE' && !isReversed);
  return [
    ...(endedBy === null ? [stepOf(APPLY_EXCEPTION_ACT, toExceptionPath(id), whyOf(shown))] : []),
    ...(last === undefined ? [] : [stepOf(REVERSE_EXCEPTION_ACT, last.id)]),
  ];
}

const whyOf = ({ suggestion }: ShownException): string =>
  suggestion === null ? '' : `A rule suggests ${suggestedText(suggestion)}.`;

const timelineStep = (row: ExceptionHistoryRow): TimelineStep => ({
  state: 'done',
  title: row.act === 'REVERSE' ? `Reversed ${row.reverses ?? ''}` : row.act,
  detail: (
    <>
      Proposed by {row.proposedBy ?? '–'}, approved by {row.decidedBy ?? '–'}: {row.reason}{' '}
      <a href={`/approvals/${row.approvalId}`}>{row.approvalId}</a>{' '}
      <code class="code-beside">{row.id}</code>
    </>
  ),
  time: moment(row.actedAt),
});

const Proposals = (props: { readonly proposals: readonly ApprovalRow[]; readonly now: Date }) =>
  props.proposals.length === 0 ? null : (
    <Card title="Proposals" isFlush>
      <Table
        label="Proposals about this exception"
        rows={props.proposals}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/approvals/${id}`}
        columns={[
          { title: 'Proposal', cell: ({ id }) => <code>{id}</code> },
          { title: 'Act', cell: ({ content }) => String(content['act']) },
          { title: 'State', cell: (row) => <Chip {...stateOf(row, props.now)} /> },
          {
            ...{ title: 'Since (UTC)', isMuted: true },
            cell: ({ proposedAt }) => moment(proposedAt),
          },
        ]}
      />
    </Card>
  );

const factsOf = (row: ShownException, name: string | undefined) =>
  [
    ['Kind', <Coded {...exceptionWords(row.exception)} />],
    ['Environment', environmentWords(row.environment)],
    ['Bank', row.connector ?? '–'],
    [
      'Statement',
      row.bankStatementId === null ? (
        '–'
      ) : (
        <a href={`/statements/${String(statementOf(row))}`}>
          {row.line === null
            ? row.bankStatementId
            : `${row.bankStatementId}, line ${String(row.line)}`}
        </a>
      ),
    ],
    [
      'Payment',
      row.paymentId === null ? '–' : <a href={`/payments/${row.paymentId}`}>{row.paymentId}</a>,
    ],
    [
      'Credit',
      row.creditId === null ? (
        '–'
      ) : (
        <a href={`/reconciliation/credits/${row.creditId}`}>{row.creditId}</a>
      ),
    ],
    ['Customer', row.customerId === null ? '–' : <CustomerLink id={row.customerId} name={name} />],
    ['Since (UTC)', moment(row.since)],
  ] as const;
