import { ACTION_WORDS } from '../../../../modules/approvals/action-words.ts';
import {
  APPROVAL_STATES,
  listApprovals,
  type ApprovalRow,
  type ApprovalState,
} from '../../../../db/approvals/approval-store.ts';
import { readWaiting, type WaitingKind } from '../../../../db/operations/waiting-store.ts';
import { readQuery } from '../../../kit/forms/read-query.ts';
import { listPage, pagesAround } from '../../../kit/list-pages.ts';
import { Chip } from '../../../kit/parts/chip.tsx';
import { EmptyState } from '../../../kit/parts/empty-state.tsx';
import { SelectField } from '../../../kit/parts/field.tsx';
import { Filters } from '../../../kit/parts/filters.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { Pager } from '../../../kit/parts/pager.tsx';
import { Table } from '../../../kit/parts/table.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { moment } from '../../parts/moments.ts';
import { environmentWords } from '../../words/payment-fact-words.ts';
import { waitingSentence } from '../../words/waiting-words.ts';
import { proposerOf, stateOf } from './approval-words.ts';

const LIST = 'approvals';
const PATH = '/approvals';
const QUERY = {
  state: { what: 'a state', lengthMax: 20, isOptional: true },
  cursor: { what: 'a place in the list', lengthMax: 100, isOptional: true },
} as const;

/** Each state in words, what is said where there is none of it, and what the inbox counts of it. */
const STATES: Readonly<
  Record<
    ApprovalState,
    { readonly text: string; readonly none: string; readonly kind?: WaitingKind }
  >
> = {
  WAITING: { text: 'Waiting', none: 'Nothing needs two operators' },
  HANDED_IN: {
    text: 'From the command line',
    none: 'No proposal from the command line',
    kind: 'APPROVAL_HANDED_IN',
  },
  PROPOSED: {
    text: 'Needs a second operator',
    none: 'No proposal needs a second operator',
    kind: 'APPROVAL_PROPOSED',
  },
  NOT_IN_EFFECT: {
    text: 'Approved, not in effect',
    none: 'Every approval took effect',
    kind: 'APPROVAL_NOT_IN_EFFECT',
  },
  RAN_OUT: { text: 'Expired', none: 'No proposal expired' },
  DECIDED: { text: 'Decided', none: 'No proposal was decided' },
};

/** GET /approvals: proposals that need two operators, those that wait unless another state is asked for. */
export function registerApprovals(app: WebApp, { db, clock }: ConsoleDeps): void {
  app.get(PATH, { config: { right: 'see' } }, async (request, reply) => {
    const { values } = readQuery(QUERY, request.query);
    const state = APPROVAL_STATES.find((one) => one === values.state) ?? 'WAITING';
    const asked = listPage(values.cursor, LIST);
    const now = clock.now();
    const { kind } = STATES[state];
    const { page, counted } = await db.system(async (tx) => ({
      page: await listApprovals(tx, { state, now }, asked),
      counted: kind === undefined ? [] : await readWaiting(tx, now, [kind]),
    }));
    const query = { state: state === 'WAITING' ? '' : state };
    return sendConsolePage(request, reply, {
      title: 'Approvals',
      current: PATH,
      body: (
        <>
          <PageHead title="Approvals" about="Changes that need two operators, newest first." />
          <Filters action={PATH}>
            <SelectField
              name="state"
              label="State"
              value={state}
              options={APPROVAL_STATES.map((value) => ({ value, text: STATES[value].text }))}
            />
          </Filters>
          {page.items.length === 0 && values.cursor === '' ? (
            <EmptyState title={STATES[state].none}>
              A proposal appears here until another operator has decided it.
            </EmptyState>
          ) : (
            <div class="card card-flush">
              {counted.map((row) => (
                <p key={row.kind} class="more">
                  {waitingSentence(row, now)}
                </p>
              ))}
              <ApprovalTable rows={page.items} now={now} />
              <Pager {...pagesAround({ path: PATH, query }, values.cursor, page, LIST)} />
            </div>
          )}
        </>
      ),
    });
  });
}

const ApprovalTable = (props: { readonly rows: readonly ApprovalRow[]; readonly now: Date }) => (
  <Table
    label="Approvals"
    rows={props.rows}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `${PATH}/${id}`}
    columns={[
      { title: 'Proposal', cell: ({ action }) => ACTION_WORDS[action] },
      { title: 'State', cell: (row) => <Chip {...stateOf(row, props.now)} /> },
      { title: 'Environment', cell: ({ environment }) => environmentWords(environment) },
      { title: 'About', cell: ({ subjectId }) => <code>{subjectId}</code> },
      { title: 'Proposed by', cell: (row) => proposerOf(row) },
      { title: 'Since (UTC)', isMuted: true, cell: (row) => moment(row.proposedAt) },
    ]}
  />
);
