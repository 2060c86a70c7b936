import { Option } from '@commander-js/extra-typings';
import type { Installation } from '../../server/config/listen-config.ts';
import {
  createCommandProgram,
  runCommandProgram,
  type CommandOutput,
} from '../../server/runtime/command-program.ts';
import type { ListenOptions } from './listen.ts';
import { readPort, readSpan, readTypes, readUrl } from './option-values.ts';

const PORT = 4070;
const HOUR_MS = 3_600_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

interface CommandLineDeps {
  readonly findInstallation: (named: Partial<Installation>) => Installation;
  readonly listen: (options: ListenOptions) => Promise<number>;
  readonly output: CommandOutput;
}

/**
 * Runs `npm run listen` and answers its exit code: 0 it was asked to end, 1 it could not go on, 2 the command line
 * is wrong (what is wrong was then written to `error`). Throws what `listen` throws.
 */
export async function runListenCommand(
  args: readonly string[],
  deps: CommandLineDeps,
): Promise<number> {
  let exitCode = 0;
  const program = createProgram(deps.output).action(
    async ({ apiUrl, apiKey, replay, ...options }) => {
      const installation = deps.findInstallation({ apiUrl, apiKey });
      const problem = findProblem(installation, options.publicUrl);
      if (problem !== null) program.error(`error: ${problem}`);
      const replayMs = replay === true ? HOUR_MS : (replay ?? null);
      exitCode = await deps.listen({ ...options, installation, replayMs });
    },
  );
  return (await runCommandProgram(program, args)) ?? exitCode;
}

function createProgram(output: CommandOutput) {
  return createCommandProgram('npm run listen --', output)
    .description('receive webhooks of the test environment on this machine')
    .addHelpText('after', EXPLAINED)
    .option('--port <number>', 'port on 127.0.0.1 (0 picks a free port)', readPort, PORT)
    .option('--forward <url>', 'forward verified webhooks unchanged to this URL', readUrl)
    .option(
      '--types <list>',
      'event types to receive, for example payment.*,kyc.approved',
      readTypes,
    )
    .addOption(
      new Option(
        '--replay [span]',
        'first replay the events of this time span, for example 30m, 1h, or 2d (default: 1h)',
      ).argParser(readSpan),
    )
    .option('--json', 'print one line of JSON for each webhook', false)
    .option('--secret-file <path>', "write the endpoint's secret to this file for your receiver")
    .option(
      '--public-url <url>',
      'public URL that reaches this port, for example a tunnel',
      readUrl,
    )
    .option(
      '--api-url <url>',
      'URL of the installation (default: CAUSEWAY_API_URL, then the local run)',
      readUrl,
    )
    .option(
      '--api-key <key>',
      'test key; prefer CAUSEWAY_API_KEY, because other users can see arguments',
    );
}

const EXPLAINED = `
It adds a webhook endpoint of its own and deletes it when it ends (Ctrl-C).
Exit codes: 0 ended when asked, 1 failed, 2 the command line is wrong.`;

/** What makes no sense together, in a sentence without the key. */
function findProblem({ apiUrl, apiKey }: Installation, publicUrl?: string): string | null {
  if (apiKey.startsWith('cw_live_')) {
    return 'this is a live key: listen is for test keys (cw_test_...) only.';
  }
  if (!/^cw_test_\w{1,200}$/.test(apiKey)) return 'the API key must be a test key: cw_test_...';
  const { hostname } = new URL(apiUrl);
  if (publicUrl !== undefined || LOOPBACK.test(hostname)) return null;
  return `${hostname} is another machine, which cannot reach 127.0.0.1 here: give --public-url, a tunnel to the port.`;
}
