import { readNetworkSetups } from '../server/config/chain-config.ts';
import { runVerifyCommand } from './verify/verify-command.ts';

process.exitCode = await runVerifyCommand({
  args: process.argv.slice(2),
  env: process.env,
  readNetworks: () => readNetworkSetups(process.env),
  out: console.log,
  error: console.error,
});
