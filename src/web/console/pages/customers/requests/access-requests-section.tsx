import { openDetails } from '../../../../../modules/customers/access/access-request-details.ts';
import {
  listAccessRequests,
  type AccessRequestRow,
} from '../../../../../db/customers/access-request-store.ts';
import { ACCESS_REQUEST_STATUSES } from '../../../../../domain/customers/access/access-request.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { EmptyState } from '../../../../kit/parts/empty-state.tsx';
import { SelectField } from '../../../../kit/parts/field.tsx';
import { Filters } from '../../../../kit/parts/filters.tsx';
import { Table, type Column } from '../../../../kit/parts/table.tsx';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { momentIn } from '../../../../kit/moment-in.ts';
import { waitingSentence } from '../../../words/waiting-words.ts';
import { mayReadRequests, REQUEST_CHIPS } from './request-words.ts';
import type { RequestSection, SectionInput } from './section.ts';

const PAGE = 20;

const STATUS_OPTIONS = [
  { value: 'WAITING', text: 'Waiting' },
  { value: 'APPROVED', text: 'Approved' },
  { value: 'DECLINED', text: 'Declined' },
  { value: 'EXPIRED', text: 'Expired' },
  { value: 'ALL', text: 'All' },
];

/** Requests for an account. The page of each request shows who sent it. */
export const accessRequestsSection: RequestSection = async (tx, input) => {
  const asked = input.query['access'];
  const chosen = STATUS_OPTIONS.find(({ value }) => value === asked)?.value ?? 'WAITING';
  const status = ACCESS_REQUEST_STATUSES.find((one) => one === chosen) ?? null;
  const before = readBefore(input.query['access-before']);
  const page = await listAccessRequests(tx, { status }, { limit: PAGE, before });
  return (
    <Card title="Access requests" isFlush>
      {input.waiting.map((row) => (
        <p key={row.kind} class="more">
          {waitingSentence(row, input.deps.clock.now())}
        </p>
      ))}
      <Filters action="/requests">
        <SelectField name="access" label="Status" value={chosen} options={STATUS_OPTIONS} />
      </Filters>
      {page.items.length === 0 ? (
        <EmptyState
          title={status === 'WAITING' ? 'No access request is waiting' : 'No access requests'}
        >
          Applicants use the form /request-access on the dashboard.
        </EmptyState>
      ) : (
        <Table
          label="Access requests"
          columns={columnsFor(input)}
          rows={page.items}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/requests/${id}`}
        />
      )}
      {page.next === null ? null : (
        <p class="more">
          <a href={`/requests?access=${chosen}&access-before=${String(page.next)}`}>
            Older requests
          </a>
        </p>
      )}
    </Card>
  );
};

function columnsFor({ deps, operator }: SectionInput): readonly Column<AccessRequestRow>[] {
  const companyOf = (row: AccessRequestRow): string =>
    mayReadRequests(operator) ? (openDetails(deps.vault, row)?.company ?? 'Erased') : row.id;
  return [
    { title: 'Request', cell: companyOf },
    { title: 'Status', cell: ({ status }) => <Chip {...REQUEST_CHIPS[status]} /> },
    {
      title: 'Sent',
      cell: ({ createdAt }) => momentIn(createdAt, operator.timeZone),
      isMuted: true,
    },
  ];
}

// Sequences are positive int8; 18 digits stay below its end.
const CURSOR = /^[1-9][0-9]{0,17}$/;

/** Where the list goes on, as its link says it; null at its beginning. Throws PageRefusal (404) for what is none. */
function readBefore(text: string | undefined): bigint | null {
  if (text === undefined) return null;
  if (!CURSOR.test(text)) throw noSuchPage();
  return BigInt(text);
}
