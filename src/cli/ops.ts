import { userInfo } from 'node:os';
import { readEnvironment } from '../server/config/environment.ts';
import { readConfig } from '../server/config/config.ts';
import { createDatabase, type Database } from '../db/client/database.ts';
import { createPool } from '../db/client/pool.ts';
import { RESEALING_ROLES } from '../db/schema/database-roles.ts';
import { findTargets } from '../server/config/ops-config.ts';
import type { Env } from '../server/config/settings.ts';
import type { ReadOpsEnv } from './ops/command-context.ts';
import { createProgressLine } from './ops/progress-line.ts';
import { runCommandLine } from './ops/run-command-line.ts';
import { openNameChecks } from '../server/runtime/open-name-checks.ts';
import { openResources } from '../server/runtime/resources.ts';
import { runMain } from '../server/runtime/run-main.ts';
import { readTemporalSettings } from '../adapters/temporal/connect.ts';

runMain(async () => {
  const read: Partial<Record<Parameters<ReadOpsEnv>[0], Env>> = {};
  const readEnv: ReadOpsEnv = (program) =>
    (read[program] ??= readEnvironment(process.env, program));
  const isInstallation = ['DATABASE_URL', 'DATABASE_URL_FILE', 'CONFIG_DIR'].some(
    (name) => (process.env[name] ?? '') !== '',
  );
  return runCommandLine(process.argv.slice(2), {
    // On a server all operators may share one login of the system, and the audit log wants a person.
    defaultOperator: isInstallation ? undefined : userInfo().username,
    readEnv,
    open: async (roles) => {
      const targets = findTargets(readEnv('ops'));
      const config = readConfig({ LOG_LEVEL: 'error', ...targets });
      const resources = await openResources(config, readTemporalSettings(targets), 'ops', roles);
      const resealing = openResealing(config.database.systemUrl);
      const showProgress = createProgressLine(process.stderr);
      const print = (text: string) => {
        showProgress('');
        console.log(text);
      };
      const { kyc, fx } = config;
      return {
        ...resources,
        resealing,
        nameChecks: openNameChecks(config, resources.log),
        print,
        showProgress,
        dashboardUrl: config.web.dashboardUrl,
        opsUrl: config.web.opsUrl,
        apiUrl: config.http.publicUrl,
        kycApprovalDays: kyc.approvalDays,
        fx,
        chains: config.chain,
        close: async () => {
          await Promise.all([resealing.close(), resources.close()]);
        },
      };
    },
    output: {
      out: (text) => process.stdout.write(text),
      error: (text) => process.stderr.write(text),
    },
  });
});

/** Connects where `secrets` uses it: no other command needs the role. */
function openResealing(url: string): Database {
  const options = { url, connectionsMax: 1, onError: () => undefined };
  return createDatabase({
    appPool: createPool({ ...options, role: RESEALING_ROLES.app }),
    systemPool: createPool({ ...options, role: RESEALING_ROLES.system }),
    runAfterCommit: () => undefined,
  });
}
