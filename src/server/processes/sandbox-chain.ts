import { pino } from 'pino';
import { getAddress } from 'viem/utils';
import { readEnvironment } from '../config/environment.ts';
import { readSandboxChainConfig } from '../config/sandbox-chain-config.ts';
import { exitWithParent } from '../runtime/exit-with-parent.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { runMain } from '../runtime/run-main.ts';
import { untilSignal } from '../runtime/until-signal.ts';
import { createSandboxChain } from '../../sandbox/chain/sandbox-chain.ts';

/** The chains of a local run. Saved and ended also when the process that started it is gone. */
runMain(async () => {
  const asked = untilSignal(['SIGINT', 'SIGTERM']);
  exitWithParent(() => process.kill(process.pid, 'SIGTERM'));
  const config = readSandboxChainConfig(readEnvironment(process.env, 'sandbox-chain'));
  const log = pino({ level: config.logLevel, base: { process: 'sandbox-chain' } });
  const chain = await createSandboxChain({
    command: config.anvilBin,
    networks: config.networks,
    folder: config.folder,
    hotAddresses: [getAddress(config.hotAddress)],
    clock: systemClock,
    log,
    onDeath(reason) {
      log.error({ reason }, 'anvil ended; restarting');
      process.exit(1);
    },
  });
  log.info({ url: await chain.listen(config.port) }, 'the sandbox chains listen');
  await asked;
  await chain.close();
  return 0;
});
