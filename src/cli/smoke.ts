import { randomBytes } from 'node:crypto';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { table } from './ops/table.ts';
import { readEnvironment } from '../server/config/environment.ts';
import { createCommandProgram, runCommandProgram } from '../server/runtime/command-program.ts';
import { PlainError } from '../server/runtime/plain-error.ts';
import { runMain } from '../server/runtime/run-main.ts';
import { smoke } from './smoke/smoke.ts';
import type { StepOutcome } from './smoke/step.ts';

const TEST_KEY = 'cw_test_';

const readNumber = (max: number) => (text: string) => {
  const number = /^[0-9]{1,6}$/.test(text) ? Number(text) : -1;
  if (number >= 0 && number <= max) return number;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${String(max)}.`);
};

const render = (outcomes: readonly StepOutcome[]): string =>
  table(
    ['step', 'what was checked', '', 'ms'],
    outcomes.map(({ name, said, result, ms }) => [name, said, result, String(ms)]),
  );

runMain(async () => {
  let exitCode = 0;
  const program = createCommandProgram('npm run smoke --', {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  })
    .description('Run a partner’s first day against the test environment of an installation.')
    .requiredOption('--api-url <url>', 'URL of the installation, without /api/v1')
    .option('--api-key <key>', 'test key (default: CAUSEWAY_API_KEY)')
    .option('--webhook-url <url>', 'public URL that reaches --webhook-port on this machine')
    .option(
      '--webhook-port <port>',
      'port that receives webhooks (0 picks a free port)',
      readNumber(65_535),
      0,
    )
    .option(
      '--wait-seconds <count>',
      'time to wait for each asynchronous step',
      readNumber(3_600),
      120,
    )
    .action(async (given) => {
      const env = readEnvironment(process.env, 'smoke');
      const apiKey = given.apiKey ?? env['CAUSEWAY_API_KEY'] ?? '';
      if (!apiKey.startsWith(TEST_KEY)) {
        throw new PlainError(
          `Use a test key (${TEST_KEY}...). A live key would make real payments.`,
        );
      }
      const outcomes = await smoke(
        {
          installation: { apiUrl: given.apiUrl.replace(/\/+$/, ''), apiKey },
          webhookUrl: given.webhookUrl ?? null,
          webhookPort: given.webhookPort,
          waitMs: 1_000 * given.waitSeconds,
          run: randomBytes(6).toString('hex'),
        },
        ({ name, result }) => process.stderr.write(`- ${name}: ${result}\n`),
      );
      process.stdout.write(`${render(outcomes)}\n`);
      exitCode = outcomes.some(({ result }) => result === 'FAILED') ? 1 : 0;
    });
  return (await runCommandProgram(program, process.argv.slice(2))) ?? exitCode;
});
