import { monitorProcess } from '../monitor/monitor-process.ts';
import { openResources } from '../runtime/resources.ts';
import { runMain } from '../runtime/run-main.ts';
import { startApi } from '../runtime/start-api.ts';
import { startWorker } from '../runtime/start-worker.ts';
import { untilSignal } from '../runtime/until-signal.ts';
import { readConfig } from '../config/config.ts';
import { readEnvironment } from '../config/environment.ts';
import { exitWithParent } from '../runtime/exit-with-parent.ts';
import { readTemporalSettings } from '../../adapters/temporal/connect.ts';

// API and worker in one process: they share a connection, and a new workflow's first task comes back
// with its start.
runMain(async () => {
  const asked = untilSignal();
  exitWithParent();
  const env = readEnvironment(process.env, 'engine');
  const config = readConfig(env);
  const temporal = readTemporalSettings(env);
  const resources = await openResources(config, temporal, 'engine');
  const api = await startApi(resources);
  resources.log.info({ url: api.url }, 'API is listening');
  const worker = startWorker(resources);
  void worker.ready.then(() => resources.log.info('worker is polling'));
  const monitor = await monitorProcess(resources, {
    ...{ asked, worker, answersRequests: true, tellsProgress: true },
  });
  await Promise.race([asked, worker.ended]);
  await api.stop();
  await worker.stop();
  await monitor.stop();
  await resources.close();
  return 0;
});
