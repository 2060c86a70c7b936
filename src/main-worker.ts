import { openResources } from './compose/resources.ts';
import { runMain } from './compose/run-main.ts';
import { startWorker } from './compose/start-worker.ts';
import { untilSignal } from './compose/until-signal.ts';
import { readConfig } from './config/config.ts';
import { exitWithParent } from './embedded/child.ts';
import { readTemporalSettings } from './temporal/connect.ts';

runMain(async () => {
  const asked = untilSignal();
  exitWithParent();
  const config = readConfig(process.env);
  const temporal = readTemporalSettings(process.env as Record<string, string>);
  const resources = openResources(config, temporal, 'worker');
  const worker = startWorker(resources);
  void worker.ready.then(() => resources.log.info('the worker polls'));
  await Promise.race([asked, worker.ended]);
  await worker.stop();
  await resources.close();
  return 0;
});
