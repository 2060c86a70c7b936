import { PEOPLE_ROLES } from '../../db/schema/database-roles.ts';
import { openResources } from '../runtime/resources.ts';
import { runMain } from '../runtime/run-main.ts';
import { startWeb } from '../runtime/start-web.ts';
import { untilSignal } from '../runtime/until-signal.ts';
import { readConfig } from '../config/config.ts';
import { readEnvironment } from '../config/environment.ts';
import { exitWithParent } from '../runtime/exit-with-parent.ts';
import { readTemporalSettings } from '../../adapters/temporal/connect.ts';

runMain(async () => {
  const asked = untilSignal();
  exitWithParent();
  const env = readEnvironment(process.env);
  const config = readConfig(env);
  const temporal = readTemporalSettings(env);
  const resources = openResources(config, temporal, 'web', PEOPLE_ROLES);
  const web = await startWeb(resources);
  resources.log.info(
    { dashboard: config.web.dashboardUrl, console: config.web.opsUrl },
    'dashboard and console listen',
  );
  await asked;
  await web.stop();
  await resources.close();
  return 0;
});
