import { readChainSigners } from '../config/chain-signers-config.ts';
import { readConfig } from '../config/config.ts';
import { readEnvironment } from '../config/environment.ts';
import { CHAIN_ROLES } from '../../db/schema/database-roles.ts';
import { monitorProcess } from '../monitor/monitor-process.ts';
import { checkChains } from '../runtime/check-chains.ts';
import { exitWithParent } from '../runtime/exit-with-parent.ts';
import { openChains } from '../runtime/open-chains.ts';
import { openResources } from '../runtime/resources.ts';
import { runMain } from '../runtime/run-main.ts';
import { startChain } from '../runtime/start-chain.ts';
import { untilSignal } from '../runtime/until-signal.ts';
import { readTemporalSettings } from '../../adapters/temporal/connect.ts';

// The one program that holds keys of chains. It takes no requests.
runMain(async () => {
  const asked = untilSignal();
  exitWithParent();
  const env = readEnvironment(process.env, 'chain');
  const config = readConfig(env);
  const signers = readChainSigners(env);
  const temporal = readTemporalSettings(env);
  const resources = await openResources(config, temporal, 'chain', CHAIN_ROLES);
  const chains = await openChains(resources, signers);
  const checked = await checkChains(resources);
  const worker = startChain(resources, {
    chainOf: (place) => (checked.isOpen(place) ? chains.chainOf(place) : null),
  });
  void worker.ready.then(() => resources.log.info('chain worker is polling'));
  const monitor = await monitorProcess(resources, { asked, worker });
  await Promise.race([asked, worker.ended]);
  await worker.stop();
  await checked.close();
  await chains.close();
  await monitor.stop();
  await resources.close();
  return 0;
});
