import {
  APPROVAL_STATES,
  listApprovals,
  type ApprovalRow,
  type ApprovalState,
} from '../../../../db/approvals/approval-store.ts';
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
import { ACTION_WORDS, proposerOf, stateOf } from './approval-words.ts';

const LIST = 'approvals';
const PATH = '/approvals';
const QUERY = {
  state: { what: 'a state', lengthMax: 20, isOptional: true },
  cursor: { what: 'a place in the list', lengthMax: 100, isOptional: true },
} as const;

/** Each state in words, and what stands where there is none of it. */
const STATES: Readonly<Record<ApprovalState, { readonly text: string; readonly none: string }>> = {
  WAITING: { text: 'Waits', none: 'Nothing waits for two operators' },
  RAN_OUT: { text: 'Ran out', none: 'Nothing ran out' },
  DECIDED: { text: 'Decided', none: 'Nothing was decided' },
};

/** GET /approvals: what takes two operators; what waits, unless another state is asked for. */
export function registerApprovals(app: WebApp, { db, clock }: ConsoleDeps): void {
  app.get(PATH, { config: { right: 'see' } }, async (request, reply) => {
    const { values } = readQuery(QUERY, request.query);
    const state = APPROVAL_STATES.find((one) => one === values.state) ?? 'WAITING';
    const asked = listPage(values.cursor, LIST);
    const now = clock.now();
    const page = await db.system((tx) => listApprovals(tx, { state, now }, asked));
    const query = { state: state === 'WAITING' ? '' : state };
    return sendConsolePage(request, reply, {
      title: 'Approvals',
      current: PATH,
      body: (
        <>
          <PageHead title="Approvals" about="What takes two operators, the newest first." />
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
              What one operator proposes stands here until another one has decided.
            </EmptyState>
          ) : (
            <div class="card card-flush">
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
      { title: 'What', cell: ({ action }) => ACTION_WORDS[action] },
      { title: 'State', cell: (row) => <Chip {...stateOf(row, props.now)} /> },
      { title: 'Environment', cell: ({ environment }) => environment },
      { title: 'About', cell: ({ subjectId }) => <code>{subjectId}</code> },
      { title: 'Proposed by', cell: (row) => proposerOf(row) },
      { title: 'Since (UTC)', isMuted: true, cell: (row) => moment(row.proposedAt) },
    ]}
  />
);
