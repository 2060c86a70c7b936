import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { startDevStack } from '../../src/cli/dev/dev-stack.ts';
import { PlainError } from '../../src/server/runtime/plain-error.ts';
import { runMain } from '../../src/server/runtime/run-main.ts';
import { untilSignal } from '../../src/server/runtime/until-signal.ts';
import { addCustomer } from '../support/add-customer.ts';
import { stackEnvironment } from '../support/stack-environment.ts';
import { fuzzInstallation, type FuzzedInstallation, type FuzzSize } from './fuzz-installation.ts';
import { isClean, renderFuzz } from './fuzz-report.ts';

const readCount = (text: string): number => {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
};

const program = new Command('npm run fuzz --')
  .description(
    'Sends requests made of the API document, right and wrong ones, and judges each answer.',
  )
  .option('--requests <count>', 'to send', readCount, 20_000)
  .option('--seed <number>', 'decides every choice', readCount, 1)
  .option(
    '--api-url <url>',
    'an installation, without /api/v1; a stack of its own where it is left out',
  )
  .option('--api-key <key>', 'a test key of that installation')
  .option('--other-api-key <key>', 'a test key of another customer there');

const say = (line: string) => {
  console.error(`- ${line}`);
};

/** Fuzzes, prints the report, answers the exit code. */
async function run(installation: FuzzedInstallation, size: FuzzSize): Promise<number> {
  for (const key of [installation.apiKey, installation.otherApiKey]) {
    if (key !== null && !key.startsWith('cw_test_')) {
      throw new PlainError('Only a test key is taken: what is made cannot be taken back.');
    }
  }
  const outcome = await fuzzInstallation(installation, size, say);
  console.log(renderFuzz(outcome, installation.apiUrl, size.seed));
  return isClean(outcome) ? 0 : 1;
}

async function runOnOwnStack(size: FuzzSize): Promise<number> {
  const interrupted = untilSignal(['SIGINT', 'SIGTERM', 'SIGHUP']);
  const folder = mkdtempSync(join(tmpdir(), 'causeway-fuzz-'));
  try {
    const stack = await startDevStack({
      env: stackEnvironment(folder),
      progress: say,
      onLine: () => undefined,
    });
    try {
      const { apiUrl, databaseUrl: url } = stack.state;
      const { customerId, testApiKey: apiKey } = await addCustomer(folder, 'Fuzzed Partner');
      const { testApiKey: otherApiKey } = await addCustomer(folder, 'Another Partner');
      const database = { url, customerId };
      const running = run({ apiUrl, apiKey, otherApiKey, database }, size);
      const ended = await Promise.race([running, interrupted]);
      if (typeof ended === 'string') throw new PlainError(`${ended}: stopped.`);
      return ended;
    } finally {
      await stack.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

runMain(async () => {
  const given = program.parse(process.argv.slice(2), { from: 'user' }).opts();
  const size = { seed: given.seed, requests: given.requests };
  const { apiUrl, apiKey, otherApiKey = null } = given;
  if (apiUrl === undefined && apiKey === undefined) return runOnOwnStack(size);
  if (apiUrl === undefined || apiKey === undefined) {
    throw new PlainError('--api-url and --api-key go together.');
  }
  const url = apiUrl.replace(/\/+$/, '');
  return run({ apiUrl: url, apiKey, otherApiKey, database: null }, size);
});
