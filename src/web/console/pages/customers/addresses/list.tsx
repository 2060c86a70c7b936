import {
  listAddressesToDecide,
  type AddressToDecide,
} from '../../../../../db/customers/address-decision-store.ts';
import { readWaiting } from '../../../../../db/operations/waiting-store.ts';
import { readQuery } from '../../../../kit/forms/read-query.ts';
import { listPage, pagesAround } from '../../../../kit/list-pages.ts';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { EmptyState } from '../../../../kit/parts/empty-state.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Pager } from '../../../../kit/parts/pager.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import { timeText, type TimeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { waitingSentence } from '../../../words/waiting-words.ts';
import { stateOf } from './address-steps.ts';

const LIST = 'addresses-to-decide';
const PATH = '/requests/addresses';
const QUERY = {
  cursor: { what: 'a place in the list', lengthMax: 100, isOptional: true },
} as const;

/** GET /requests/addresses: IP address ranges that customers request for live keys. */
export function registerAddresses(app: WebApp, { db, clock }: ConsoleDeps): void {
  app.get(PATH, { config: { right: 'see' } }, async (request, reply) => {
    const { cursor } = readQuery(QUERY, request.query).values;
    const asked = listPage(cursor, LIST);
    const now = clock.now();
    const { page, counted } = await db.system(async (tx) => ({
      page: await listAddressesToDecide(tx, asked, now),
      counted: await readWaiting(tx, now, ['ADDRESS_PENDING']),
    }));
    const pages = pagesAround({ path: PATH, query: {} }, cursor, page, LIST);
    const isEmpty = page.items.length === 0 && pages.newest === null;
    return sendConsolePage(request, reply, {
      ...{ title: 'IP addresses of live keys', current: '/requests' },
      body: (
        <>
          <PageHead
            title="IP addresses of live keys"
            about={
              counted.length === 0
                ? 'A live key works from an IP address once two operators have approved it.'
                : counted.map((row) => waitingSentence(row, now)).join(' ')
            }
          />
          {isEmpty ? (
            <EmptyState title="No IP address needs a decision">
              Ranges that customers request for their live keys appear here.
            </EmptyState>
          ) : (
            <div class="card card-flush">
              <AddressTable rows={page.items} times={timeText(operatorOf(request).timeZone)} />
              <Pager {...pages} />
            </div>
          )}
        </>
      ),
    });
  });
}

export const AddressTable = (props: {
  readonly rows: readonly AddressToDecide[];
  readonly times: TimeText;
}) => (
  <Table
    label="IP addresses of live keys"
    rows={props.rows}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `${PATH}/${id}`}
    columns={[
      { title: 'Address', cell: ({ range }) => <code>{range}</code> },
      { title: 'State', cell: (address) => <Chip {...stateOf(address)} /> },
      { title: 'Customer', cell: ({ customerName }) => customerName },
      { title: 'Key', cell: ({ keyName, keyLast4 }) => `${keyName} …${keyLast4}` },
      {
        title: 'Requested',
        isMuted: true,
        cell: ({ createdAt }) => props.times.moment(createdAt),
      },
    ]}
  />
);
