import { openResources } from '../runtime/resources.ts';
import { runMain } from '../runtime/run-main.ts';
import { startApi } from '../runtime/start-api.ts';
import { untilSignal } from '../runtime/until-signal.ts';
import { readConfig } from '../config/config.ts';
import { exitWithParent } from '../runtime/exit-with-parent.ts';
import { readTemporalSettings } from '../../adapters/temporal/connect.ts';

runMain(async () => {
  const asked = untilSignal();
  exitWithParent();
  const config = readConfig(process.env);
  const temporal = readTemporalSettings(process.env as Record<string, string>);
  const resources = openResources(config, temporal, 'api');
  const api = await startApi(resources);
  resources.log.info({ url: api.url }, 'the API listens');
  await asked;
  await api.stop();
  await resources.close();
  return 0;
});
