import { openResources } from '../runtime/resources.ts';
import { runMain } from '../runtime/run-main.ts';
import { startWorker } from '../runtime/start-worker.ts';
import { untilSignal } from '../runtime/until-signal.ts';
import { readConfig } from '../config/config.ts';
import { exitWithParent } from '../runtime/exit-with-parent.ts';
import { readTemporalSettings } from '../../adapters/temporal/connect.ts';

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
