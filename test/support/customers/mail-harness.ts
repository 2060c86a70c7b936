import { newId } from '../../../src/db/client/new-id.ts';
import type {
  MailRelay,
  OutgoingMail,
  RelayOutcome,
} from '../../../src/domain/customers/mail/mail-relay.ts';
import { sendMail } from '../../../src/modules/customers/mail/send-mail.ts';
import { writeMail } from '../../../src/modules/customers/mail/write-mail.ts';
import pg from 'pg';
import { createTestClock, type TestClock } from '../test-clock.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { createTestVault } from '../test-vault.ts';

export const ADA = 'ada@partner.example';

/** Mails over a database of their own, by a clock that is moved. */
export async function createMailHarness(clock: TestClock = createTestClock()) {
  const database: TestDatabase = await createTestDatabase();
  const vault = createTestVault();
  const superuser = new pg.Client({ connectionString: database.url });
  await superuser.connect();
  const deps = { db: database.people, vault, clock };
  const sql = async (text: string, values: unknown[] = []) =>
    (await superuser.query<Record<string, unknown>>(text, values)).rows;
  return {
    database,
    vault,
    clock,
    sql,
    /** Writes a code of five minutes, or a mail that tells of an approval. */
    write: (kind: 'code' | 'notice' = 'notice', to = ADA): Promise<string> =>
      database.people.system((tx) =>
        kind === 'code'
          ? writeMail(deps, tx, {
              ...{ kind: 'LOGIN_CODE', to, customerId: null },
              facts: { code: '40417263', site: 'ops.localhost', minutes: 5 },
              expiresAt: new Date(clock.now().getTime() + 300_000),
            })
          : writeMail(deps, tx, {
              ...{ kind: 'OPS_APPROVAL_WAITING', to, customerId: null },
              facts: {
                approvalId: newId('apr'),
                what: 'live access',
                url: 'http://ops.localhost/',
              },
            }),
      ),
    send: (relay: MailRelay, id: string) => sendMail({ ...deps, relay }, id),
    async stateOf(id: string) {
      const [row] = await sql(
        `SELECT status, tries, failure, contents IS NULL AS "isForgotten" FROM mails WHERE id = $1`,
        [id],
      );
      return row;
    },
    async close() {
      await superuser.end();
      await database.close();
    },
  };
}

export type MailHarness = Awaited<ReturnType<typeof createMailHarness>>;

/** A relay that answers what the test says, in turn, and keeps what it was handed. */
export function createScriptedRelay(...outcomes: readonly RelayOutcome[]) {
  const handed: OutgoingMail[] = [];
  const timeouts: number[] = [];
  const rest = [...outcomes];
  const relay: MailRelay = {
    send(mail, timeoutMs) {
      handed.push(mail);
      timeouts.push(timeoutMs);
      return Promise.resolve(rest.shift() ?? { kind: 'ACCEPTED' });
    },
  };
  return { relay, handed, timeouts };
}
