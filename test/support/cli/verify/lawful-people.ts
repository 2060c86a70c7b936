import { addOperator } from '../../../../src/modules/customers/access/add-person.ts';
import { issueCode } from '../../../../src/modules/customers/access/login-codes.ts';
import { logIn } from '../../../../src/modules/customers/access/log-in.ts';
import type { Database } from '../../../../src/db/client/database.ts';
import { sendMail } from '../../../../src/modules/customers/mail/send-mail.ts';
import { createTestVault } from '../../test-vault.ts';

/** An operator who logs in twice by codes, in two browsers, and is mailed of both. */
export async function logInTwice(people: Database): Promise<void> {
  const clock = { now: () => new Date() };
  const vault = createTestVault();
  const relay = { send: () => Promise.resolve({ kind: 'ACCEPTED' } as const) };
  const mails: string[] = [];
  const deps = {
    ...{ db: people, vault, clock, origin: 'http://ops.localhost:8082' },
    dispatchMail: (id: string) => void mails.push(id),
  };
  const address = 'ada@operator.example';
  const operator = { address, name: 'Ada Sample', role: 'ADMIN' } as const;
  await people.system((tx) => addOperator(deps, tx, operator));
  for (const browser of ['one', 'another']) {
    const attempt = { surface: 'console', address, browser } as const;
    const { code } = await people.system((tx) => issueCode(deps, tx, attempt));
    const given = { ...attempt, code, personId: '', passkey: null, device: null };
    const from = { network: '192.0.2.0/24', wideNetwork: '192.0.2.0/24' };
    const { kind } = await logIn(deps, { ...given, ...from, browserName: 'Firefox on Linux' }, () =>
      Promise.resolve(),
    );
    if (kind !== 'IN') throw new Error(`the operator was not let in: ${kind}`);
  }
  for (const id of mails) await sendMail({ ...deps, relay }, id);
}
