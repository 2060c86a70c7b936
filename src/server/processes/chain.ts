import { readChainSigners } from '../config/chain-signers-config.ts';
import { readConfig } from '../config/config.ts';
import { CHAIN_ROLES } from '../../db/schema/database-roles.ts';
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
  const config = readConfig(process.env);
  const signers = readChainSigners(process.env);
  const temporal = readTemporalSettings(process.env as Record<string, string>);
  const resources = openResources(config, temporal, 'chain', CHAIN_ROLES);
  const chains = await openChains(resources, signers);
  const checked = await checkChains(resources);
  const worker = startChain(resources, {
    chainOf: (place) => (checked.isOpen(place) ? chains.chainOf(place) : null),
  });
  void worker.ready.then(() => resources.log.info('the worker of chains polls'));
  await Promise.race([asked, worker.ended]);
  await worker.stop();
  await checked.close();
  await chains.close();
  await resources.close();
  return 0;
});
