import pg from 'pg';
import { advanceAccessRequest } from '../../../src/modules/customers/access/advance-access-request.ts';
import { askForAccess } from '../../../src/modules/customers/access/ask-for-access.ts';
import {
  approveAccessRequest,
  declineAccessRequest,
} from '../../../src/modules/customers/access/decide-access-request.ts';
import { acceptInvitation } from '../../../src/modules/customers/access/invitations.ts';
import { contentsRow } from '../../../src/modules/customers/mail/mail-rows.ts';
import { createTestDatabase } from '../database.ts';
import { createTestClock } from '../test-clock.ts';
import { addTestOperator } from '../test-people.ts';
import { createTestVault } from '../test-vault.ts';

export const DAY_MS = 24 * 3_600_000;

export const WILHELMINA = {
  company: 'Plantedcompany GmbH',
  name: 'Wilhelmina Plantedname',
  address: 'wilhelmina@planted.example',
  purpose: 'Plantedpurpose salaries',
};

/** Requests for access over a database of their own, decided and moved on by hand. */
export async function createAccessRequestHarness() {
  const database = await createTestDatabase();
  // Long ago: nothing runs out before the time that the database has, and a test waits 90 days.
  const clock = createTestClock(new Date('2026-03-02T12:00:00.000Z'));
  const vault = createTestVault();
  const superuser = new pg.Client({ connectionString: database.url });
  await superuser.connect();
  const sql = async (text: string, values: unknown[] = []) =>
    (await superuser.query<Record<string, unknown>>(text, values)).rows;
  const people = { people: database.people, vault, clock };
  const deps = { vault, clock, dashboardUrl: 'http://dashboard.localhost:8081' };
  const dispatched: string[] = [];

  return {
    ...{ database, clock, vault, sql, people, deps, dispatched },
    addOperator: (role: 'COMPLIANCE' | 'SUPPORT' = 'COMPLIANCE') => addTestOperator(people, role),
    ask: (details: Partial<typeof WILHELMINA> = {}) =>
      database.people.system((tx) => askForAccess(deps, tx, { ...WILHELMINA, ...details })),
    /** What the worker does, as the worker's role. */
    advance: (requestId: string) =>
      advanceAccessRequest(
        {
          ...{ db: database.db, vault, clock, opsUrl: 'http://ops.localhost:8082' },
          dispatchMail: async (id) => {
            dispatched.push(id);
          },
        },
        requestId,
      ),
    approve: (requestId: string, operatorId: string) =>
      database.people.system((tx) => approveAccessRequest(deps, tx, { requestId, operatorId })),
    decline: (requestId: string, operatorId: string) =>
      database.people.system((tx) =>
        declineAccessRequest(deps, tx, { requestId, operatorId, reason: 'OTHER' }),
      ),
    accept: (token: string) => database.people.system((tx) => acceptInvitation(deps, tx, token)),
    async rowOf(id: string) {
      const [row] = await sql('SELECT * FROM access_requests WHERE id = $1', [id]);
      return row ?? {};
    },
    /** Kinds of the mails there are, oldest first. */
    kinds: async () =>
      (await sql('SELECT kind FROM mails ORDER BY id')).map((row) => String(row['kind'])),
    /** What a mail says. */
    async textOf(mailId: string): Promise<string> {
      const [row] = await sql('SELECT contents FROM mails WHERE id = $1', [mailId]);
      return vault.open(row?.['contents'] as Buffer, contentsRow(mailId)).toString();
    },
    async tokenIn(mailId: string): Promise<string> {
      return /\/verify\/([A-Za-z0-9_-]{43})/.exec(await this.textOf(mailId))?.[1] ?? '';
    },
    async close() {
      await superuser.end();
      await database.close();
    },
  };
}

export type AccessRequestHarness = Awaited<ReturnType<typeof createAccessRequestHarness>>;
