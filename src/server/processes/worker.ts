import { monitorProcess } from '../monitor/monitor-process.ts';
import { openResources } from '../runtime/resources.ts';
import { runMain } from '../runtime/run-main.ts';
import { startWorker } from '../runtime/start-worker.ts';
import { untilSignal } from '../runtime/until-signal.ts';
import { readConfig } from '../config/config.ts';
import { readEnvironment } from '../config/environment.ts';
import { exitWithParent } from '../runtime/exit-with-parent.ts';
import { readTemporalSettings } from '../../adapters/temporal/connect.ts';

runMain(async () => {
  const asked = untilSignal();
  exitWithParent();
  const env = readEnvironment(process.env, 'worker');
  const config = readConfig(env);
  const temporal = readTemporalSettings(env);
  const resources = await openResources(config, temporal, 'worker');
  const worker = startWorker(resources);
  void worker.ready.then(() => resources.log.info('worker is polling'));
  const monitor = await monitorProcess(resources, { asked, worker, tellsProgress: true });
  await Promise.race([asked, worker.ended]);
  await worker.stop();
  await monitor.stop();
  await resources.close();
  return 0;
});
