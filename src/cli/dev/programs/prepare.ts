/**
 * Prepares a local run, in a process of its own: what it loads and compiles would stay in memory beside the parts.
 * Takes the data folder as its argument and the engine's settings as its environment, and prints the demo customer's
 * keys as JSON.
 */
import { createSnapshotSource } from '../../../adapters/fx/snapshot.ts';
import { readTemporalSettings } from '../../../adapters/temporal/connect.ts';
import { registerSearchAttributes } from '../../../adapters/temporal/register-search-attributes.ts';
import type { Database } from '../../../db/client/database.ts';
import { replaceRates } from '../../../db/payments/fx-rate-store.ts';
import { CONSOLE_ROLES } from '../../../db/schema/database-roles.ts';
import type { Clock } from '../../../domain/clock.ts';
import { readConfig } from '../../../server/config/config.ts';
import { readOwnerUrl } from '../../../server/config/database-config.ts';
import { readEnvironment } from '../../../server/config/environment.ts';
import { openScreening } from '../../../server/runtime/open-screener.ts';
import { openResources } from '../../../server/runtime/resources.ts';
import { runMain } from '../../../server/runtime/run-main.ts';
import { seedDemoCustomer, type DemoKeys } from '../demo-customer.ts';
import { keepSecrets, type DevSecrets } from '../dev-secrets.ts';
import { migrateKept } from '../migrate-kept.ts';

runMain(async () => {
  const folder = process.argv[2] ?? '';
  const env = readEnvironment(process.env, 'dev');
  await migrateKept(readOwnerUrl(env), folder);
  console.log(JSON.stringify(await seed(env, keepSecrets(folder))));
  return 0;
});

/** Registers search attributes, loads rates, and takes on the demo customer. */
async function seed(
  env: ReturnType<typeof readEnvironment>,
  secrets: DevSecrets,
): Promise<DemoKeys> {
  const resources = await openResources(
    readConfig(env),
    readTemporalSettings(env),
    'dev',
    CONSOLE_ROLES,
  );
  try {
    await registerSearchAttributes(resources.getClient());
    await loadShippedRates(resources);
    const { web, kyc, http } = resources.config;
    // Mails that are written here go out once the console runs: it looks for those that wait.
    const seeding = {
      ...{ ...resources, kycApprovalDays: kyc.approvalDays, dashboardUrl: web.dashboardUrl },
      apiUrl: http.publicUrl,
      screener: openScreening(resources).screener,
      dispatchMail: () => undefined,
    };
    return await seedDemoCustomer(seeding, secrets);
  } finally {
    await resources.close();
  }
}

/** Stores the snapshot of rates that ships with the program, so that the first request finds some. */
async function loadShippedRates(deps: {
  readonly db: Database;
  readonly clock: Clock;
}): Promise<void> {
  const legs = await createSnapshotSource().fetch();
  await deps.db.system((tx) => replaceRates(tx, legs, deps.clock.now()));
}
