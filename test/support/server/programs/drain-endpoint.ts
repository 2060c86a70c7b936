import { createDatabase } from '../../../../src/db/client/database.ts';
import { createPool } from '../../../../src/db/client/pool.ts';
import type { Environment } from '../../../../src/domain/scope.ts';
import { drainEndpoint } from '../../../../src/modules/webhooks/drain-endpoint.ts';
import { openWebhookClient } from '../../../../src/modules/webhooks/safe-fetch.ts';
import { exitWithParent } from '../../../../src/server/runtime/exit-with-parent.ts';
import { createTestVault } from '../../test-vault.ts';

// Does what the activity does for one endpoint, in a process that may be killed, until it is.

exitWithParent();
const [url = '', customerId = '', environment = '', endpointId = ''] = process.argv.slice(2);
const onError = (): void => undefined;
const db = createDatabase({
  appPool: createPool({ url, role: 'causeway_app', connectionsMax: 4, onError }),
  systemPool: createPool({ url, role: 'causeway_system', connectionsMax: 1, onError }),
  runAfterCommit: () => undefined,
});
for (;;) {
  await drainEndpoint(
    {
      ...{ db, vault: createTestVault(), clock: { now: () => new Date() }, random: Math.random },
      ...{ openClient: openWebhookClient, allowLoopbackInTest: true },
      dashboardUrl: 'http://dashboard.localhost:8081',
    },
    {
      scope: { customerId, environment: environment as Environment },
      ...{ endpointId, isSlowQueue: true, signal: new AbortController().signal },
    },
  );
}
