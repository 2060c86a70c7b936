import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { DASHBOARD_ROLES } from '../../../src/db/schema/database-roles.ts';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { writeMail } from '../../../src/modules/customers/mail/write-mail.ts';
import { openResources } from '../../../src/server/runtime/resources.ts';
import { startDashboard } from '../../../src/server/runtime/start-dashboard.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { SAMPLE_KEYS } from '../../support/sample-secrets.ts';
import { startHostileRelay } from '../../support/customers/hostile-relay.ts';

let database: TestDatabase;
let relay: Awaited<ReturnType<typeof startHostileRelay>>;
beforeAll(async () => {
  database = await createTestDatabase();
  relay = await startHostileRelay();
});
afterAll(async () => {
  await relay.close();
  await database.close();
});

it('a dashboard sends what another one left behind while Temporal does not answer', async () => {
  const config = readConfig({
    ...SAMPLE_KEYS,
    ...{ DATABASE_URL: database.url, HOST: '127.0.0.1', LOG_LEVEL: 'silent' },
    ...{ DASHBOARD_PORT: '0', OPS_PORT: '0' },
    ...{ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(relay.port), SMTP_TLS: 'NONE' },
    MAIL_FROM: 'no-reply@causeway.example',
  });
  const address = `127.0.0.1:${String(await freePort())}`;
  const temporal = { namespace: 'default', connection: { address } };
  const resources = await openResources(config, temporal, 'test', DASHBOARD_ROLES);
  const longAgo = { now: () => new Date(resources.clock.now().getTime() - 30_000) };
  const id = await resources.db.system((tx) =>
    writeMail({ vault: resources.vault, clock: longAgo }, tx, {
      ...{ kind: 'LOGIN_CODE', to: 'ada@partner.example', customerId: null },
      facts: { code: '40417263', site: 'dashboard.localhost:8081', minutes: 5 },
    }),
  );
  const dashboard = await startDashboard(resources);
  try {
    await expect.poll(() => relay.bodies.length).toBe(1);
    expect(relay.bodies[0]).toContain(`<${id}@causeway.example>`);
  } finally {
    await dashboard.stop();
    await resources.close();
  }
});
