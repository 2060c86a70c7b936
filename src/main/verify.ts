import { parseArgs } from 'node:util';
import { readNetworkSetups } from '../config/chain-config.ts';
import { connectToVerify } from '../verify/reader.ts';
import { renderJson, renderReport } from '../verify/report.ts';
import { connectTemporalProbe } from '../verify/temporal-probe.ts';
import { UnusableInput } from '../verify/unusable-input.ts';
import { verify } from '../verify/verify.ts';

const USAGE = `usage: npm run verify -- --database-url URL [--client-log FILE]
  [--temporal-address HOST:PORT] [--namespace NAME] [--start-grace-seconds 30] [--chain] [--json]
DATABASE_URL takes the place of --database-url, which every user of the machine can read.
--chain looks at the chains of NETWORKS_FILE and LIVE_NETWORKS_FILE, by the nodes that they name.
exit code: 0 nothing violated, 1 something violated, 2 nothing can be said`;

async function main(): Promise<number> {
  const { values: given } = parseArgs({
    options: {
      'database-url': { type: 'string' },
      'client-log': { type: 'string' },
      'temporal-address': { type: 'string' },
      namespace: { type: 'string' },
      'start-grace-seconds': { type: 'string', default: '30' },
      chain: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (given.help) {
    console.log(USAGE);
    return 0;
  }
  const url = given['database-url'] ?? process.env['DATABASE_URL'];
  if (url === undefined || url === '') throw new UnusableInput(USAGE);
  const startGraceSeconds = Number(given['start-grace-seconds']);
  if (!Number.isInteger(startGraceSeconds) || startGraceSeconds < 0) {
    throw new UnusableInput('--start-grace-seconds takes a whole number of seconds');
  }
  const chains = given.chain ? readNetworkSetups(process.env) : null;
  const address = given['temporal-address'];
  const probe =
    address === undefined
      ? null
      : await connectTemporalProbe({ address, namespace: given.namespace });
  try {
    const connection = await connectToVerify(url);
    try {
      const verdicts = await verify({
        connection,
        clientLog: given['client-log'] ?? null,
        isWorkflowOpen: probe?.isWorkflowOpen ?? null,
        startGraceSeconds,
        chains,
      });
      console.log(given.json ? renderJson(verdicts) : renderReport(verdicts));
      return verdicts.some((verdict) => verdict.status === 'violated') ? 1 : 0;
    } finally {
      await connection.close();
    }
  } finally {
    await probe?.close();
  }
}

// Exit codes tell a violation from a look that failed; a crash must not read as either 0 or 1.
main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(`verify: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  },
);
