import { personNameRow } from '../../../../../domain/customers/access/person-rows.ts';
import {
  listOperators,
  type OperatorRow,
} from '../../../../../db/customers/operator-list-store.ts';
import { countPasskeys } from '../../../../../db/customers/passkey-store.ts';
import { APPROVAL_RIGHTS } from '../../../../../domain/approvals/approval-rights.ts';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { hasRight } from '../../../parts/act-links.tsx';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { ROWS_MAX } from '../../../parts/list-page.tsx';
import { moment } from '../../../parts/moments.ts';

/** GET /operators: who may log in here. Accounts are made by `npm run ops -- operators add`. */
export function registerOperators(app: WebApp, { db, vault }: ConsoleDeps): void {
  app.get('/operators', { config: { right: 'see' } }, async (request, reply) => {
    const { rows, passkeys } = await db.system(async (tx) => {
      const found = await listOperators(tx, ROWS_MAX);
      const ids = found.map(({ id }) => id);
      return { rows: found, passkeys: await countPasskeys(tx, ids) };
    });
    const { id: self } = operatorOf(request);
    const mayDisable = hasRight(operatorOf(request), 'write-operators');
    const mayPropose = hasRight(operatorOf(request), APPROVAL_RIGHTS.REMOVE_PASSKEYS);
    return sendConsolePage(request, reply, {
      title: 'Operators',
      current: '/operators',
      body: (
        <>
          <PageHead
            title="Operators"
            about={
              <>
                To add an operator, run this command on a server:{' '}
                <code>npm run ops -- operators add</code>
              </>
            }
          />
          <div class="card card-flush">
            <Table
              label="Operators"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: 'Name',
                  cell: ({ id, name }) => vault.open(name, personNameRow(id)).toString(),
                },
                { title: 'Role', cell: ({ role }) => roleWords(role) },
                {
                  title: 'Status',
                  cell: ({ status, confirmedAt }) => <Chip {...chipOf({ status, confirmedAt })} />,
                },
                { title: 'ID', cell: ({ id }) => <code>{id}</code> },
                { title: 'Passkeys', cell: ({ id }) => String(passkeys.get(id) ?? 0) },
                { title: 'Since (UTC)', isMuted: true, cell: ({ createdAt }) => moment(createdAt) },
                ...(mayDisable
                  ? [
                      {
                        title: 'Account',
                        cell: ({ id, status, confirmedAt }: OperatorRow) =>
                          status === 'ACTIVE' ? (
                            <>
                              {confirmedAt === null && id !== self ? (
                                <>
                                  <a href={`/operators/${id}/confirm`}>Confirm</a>{' '}
                                </>
                              ) : null}
                              <a href={`/operators/${id}/disable`}>Disable</a>
                            </>
                          ) : (
                            '–'
                          ),
                      },
                    ]
                  : []),
                ...(mayPropose
                  ? [
                      {
                        title: 'Recovery',
                        cell: ({ id, status }: OperatorRow) =>
                          status === 'ACTIVE' && id !== self && passkeys.has(id) ? (
                            <a href={`/operators/${id}/lost-passkeys`}>Lost passkeys</a>
                          ) : (
                            '–'
                          ),
                      },
                    ]
                  : []),
              ]}
            />
          </div>
        </>
      ),
    });
  });
}

function chipOf({ status, confirmedAt }: Pick<OperatorRow, 'status' | 'confirmedAt'>) {
  if (status !== 'ACTIVE') return { tone: 'none', text: 'Disabled' } as const;
  return confirmedAt === null
    ? ({ tone: 'wait', text: 'Not confirmed' } as const)
    : ({ tone: 'ok', text: 'Active' } as const);
}

const roleWords = (role: string): string => `${role.charAt(0)}${role.slice(1).toLowerCase()}`;
