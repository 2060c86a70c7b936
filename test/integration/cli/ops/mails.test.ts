import { afterAll, beforeAll, expect, it } from 'vitest';
import { endMail, leaseMail } from '../../../../src/db/customers/mail-store.ts';
import { writeMail } from '../../../../src/modules/customers/mail/write-mail.ts';
import { createTestVault } from '../../../support/test-vault.ts';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

let ops: OpsHarness;
beforeAll(async () => {
  ops = await createOpsHarness();
});
afterAll(() => ops.close());

it('mails unsent names what was not sent and why, and no receiver', async () => {
  expect((await ops.run('mails', 'unsent')).printed).toContain('No email failed or expired.');
  const ids: string[] = [];
  for (const status of ['SENT', 'FAILED'] as const) {
    await ops.database.people.system(async (tx) => {
      const id = await writeMail({ vault: createTestVault(), clock: { now: () => NOW } }, tx, {
        ...{ kind: 'ADDRESS_CHANGED', to: 'ada@partner.example', customerId: null },
        facts: { at: NOW },
      });
      ids.push(id);
      const mail = await leaseMail(tx, id, NOW, new Date(NOW.getTime() + 60_000));
      const failure = status === 'FAILED' ? 'SMTP_550' : null;
      await endMail(tx, { id, tries: mail?.tries ?? 0 }, { status, failure, at: NOW });
    });
  }
  const { printed } = await ops.run('mails', 'unsent');
  expect(printed).toMatch(new RegExp(`${ids[1] ?? ''} +ADDRESS_CHANGED +FAILED +SMTP_550 +1 `));
  expect(printed).not.toContain(ids[0]);
  expect(printed).not.toContain('partner.example');
});
