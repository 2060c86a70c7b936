import type { ApprovalRow } from '../../../../../db/approvals/approval-store.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import type { TimeText } from '../../../../kit/time-text.ts';
import { stateOf } from '../../approvals/approval-words.ts';

/** What was proposed about a request; approving is on the proposal's own page. */
export const ProposalsCard = (props: {
  readonly approvals: readonly ApprovalRow[];
  readonly time: TimeText;
  readonly now: Date;
}) =>
  props.approvals.length === 0 ? null : (
    <Card title="Proposals" isFlush>
      <Table
        label="Proposals"
        rows={props.approvals}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/approvals/${id}`}
        columns={[
          { title: 'Proposed', cell: ({ proposedAt }) => props.time.moment(proposedAt) },
          { title: 'State', cell: (row) => stateOf(row, props.now).text },
          { title: 'By', cell: ({ proposedBy }) => <code>{proposedBy}</code>, isMuted: true },
        ]}
      />
    </Card>
  );
