import { DASHBOARD_ROLES } from '../../db/schema/database-roles.ts';
import { monitorProcess } from '../monitor/monitor-process.ts';
import { openResources } from '../runtime/resources.ts';
import { runMain } from '../runtime/run-main.ts';
import { startDashboard } from '../runtime/start-dashboard.ts';
import { untilSignal } from '../runtime/until-signal.ts';
import { readConfig } from '../config/config.ts';
import { readEnvironment } from '../config/environment.ts';
import { readLoginProvider } from '../config/login-provider-config.ts';
import { exitWithParent } from '../runtime/exit-with-parent.ts';
import { readTemporalSettings } from '../../adapters/temporal/connect.ts';

/** The customers' pages. Its login cannot work as the console's. */
runMain(async () => {
  const asked = untilSignal();
  exitWithParent();
  const env = readEnvironment(process.env, 'dashboard');
  const config = readConfig(env);
  const loginProvider = readLoginProvider(env, 'dashboard');
  const temporal = readTemporalSettings(env);
  const resources = await openResources(config, temporal, 'dashboard', DASHBOARD_ROLES);
  const dashboard = await startDashboard(resources, loginProvider);
  resources.log.info({ url: config.web.dashboardUrl }, 'dashboard is listening');
  const monitor = await monitorProcess(resources, { asked });
  await asked;
  await dashboard.stop();
  await monitor.stop();
  await resources.close();
  return 0;
});
