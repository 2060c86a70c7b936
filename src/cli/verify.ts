import { readNetworkSetups } from '../server/config/chain-config.ts';
import { readEnvironment } from '../server/config/environment.ts';
import { readOperatorKeys } from '../server/runtime/open-operator-keys.ts';
import { ConfigError } from '../server/config/settings.ts';
import { runVerifyCommand } from './verify/verify-command.ts';

process.exitCode = await run();

/** Settings that cannot be used end with 2, as everything after which nothing can be said. */
async function run(): Promise<number> {
  try {
    const env = readEnvironment(process.env, 'verify');
    return await runVerifyCommand({
      args: process.argv.slice(2),
      env,
      readNetworks: () => readNetworkSetups(env),
      readOperatorKeys: () => readOperatorKeys(env),
      out: console.log,
      error: console.error,
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`verify: ${error.message}`);
    return 2;
  }
}
