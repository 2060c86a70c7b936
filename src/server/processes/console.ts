import { CONSOLE_ROLES } from '../../db/schema/database-roles.ts';
import { monitorProcess } from '../monitor/monitor-process.ts';
import { openResources } from '../runtime/resources.ts';
import { runMain } from '../runtime/run-main.ts';
import { startConsole } from '../runtime/start-console.ts';
import { untilSignal } from '../runtime/until-signal.ts';
import { readConfig } from '../config/config.ts';
import { readEnvironment } from '../config/environment.ts';
import { readLoginProvider } from '../config/login-provider-config.ts';
import { exitWithParent } from '../runtime/exit-with-parent.ts';
import { readTemporalSettings } from '../../adapters/temporal/connect.ts';

/** The operators' pages: the one program whose login decides. */
runMain(async () => {
  const asked = untilSignal();
  exitWithParent();
  const env = readEnvironment(process.env, 'console');
  const config = readConfig(env);
  const loginProvider = readLoginProvider(env, 'console');
  const temporal = readTemporalSettings(env);
  const resources = await openResources(config, temporal, 'console', CONSOLE_ROLES);
  const console = await startConsole(resources, loginProvider);
  resources.log.info({ url: config.web.opsUrl }, 'console is listening');
  const monitor = await monitorProcess(resources, { asked });
  await asked;
  await console.stop();
  await monitor.stop();
  await resources.close();
  return 0;
});
