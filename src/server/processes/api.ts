import { monitorProcess } from '../monitor/monitor-process.ts';
import { openResources } from '../runtime/resources.ts';
import { runMain } from '../runtime/run-main.ts';
import { startApi } from '../runtime/start-api.ts';
import { untilSignal } from '../runtime/until-signal.ts';
import { readConfig } from '../config/config.ts';
import { readEnvironment } from '../config/environment.ts';
import { exitWithParent } from '../runtime/exit-with-parent.ts';
import { readTemporalSettings } from '../../adapters/temporal/connect.ts';

runMain(async () => {
  const asked = untilSignal();
  exitWithParent();
  const env = readEnvironment(process.env, 'api');
  const config = readConfig(env);
  const temporal = readTemporalSettings(env);
  const resources = await openResources(config, temporal, 'api');
  const api = await startApi(resources);
  resources.log.info({ url: api.url }, 'API is listening');
  const monitor = await monitorProcess(resources, { asked });
  await asked;
  await api.stop();
  await monitor.stop();
  await resources.close();
  return 0;
});
