import { parseArgs } from 'node:util';
import { readPeppers, type Peppers } from '../../domain/peppers.ts';
import type { KeptSeal } from './audit-is-sealed.ts';
import { connectToVerify } from './reader.ts';
import { renderJson, renderReport } from './report.ts';
import { connectTemporalProbe } from './temporal-probe.ts';
import { UnusableInput } from './unusable-input.ts';
import { verify, type VerifyDeps } from './verify.ts';

const USAGE = `usage: npm run verify -- --database-url URL [--client-log FILE]
  [--temporal-address HOST:PORT] [--namespace NAME] [--start-grace-seconds 30] [--chain]
  [--audit-seal NUMBER:HASH] [--json]
DATABASE_URL takes the place of --database-url, which every user of the machine can read.
OPERATOR_KEYS_FILE names the keys that decisions of operators are signed with.
PEPPER is what the seals of the audit log are authenticated with. --audit-seal is a seal that a worker logged.
--chain looks at the chains of TEST_NETWORKS_FILE and LIVE_NETWORKS_FILE, by the nodes that they name.
exit code: 0 nothing violated, 1 something violated, 2 nothing can be said`;

interface VerifyCommand {
  /** What follows the command's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The chains to look at, asked for where `--chain` is given. */
  readonly readNetworks: () => VerifyDeps['chains'];
  /** What decisions are signed with; null where no settings name it. */
  readonly readOperatorKeys: () => Promise<VerifyDeps['operatorKeys']>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/**
 * Runs `npm run verify`.
 * @returns the exit code: 0 nothing violated, 1 something violated, 2 nothing can be said. A crash reads as neither 0
 * nor 1.
 */
export async function runVerifyCommand(command: VerifyCommand): Promise<0 | 1 | 2> {
  try {
    return await run(command);
  } catch (error) {
    command.error(`verify: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
}

async function run({
  args,
  env,
  readNetworks,
  readOperatorKeys,
  out,
}: VerifyCommand): Promise<0 | 1> {
  const { values: given } = parseArgs({
    args: [...args],
    options: {
      'database-url': { type: 'string' },
      'client-log': { type: 'string' },
      'temporal-address': { type: 'string' },
      namespace: { type: 'string' },
      'start-grace-seconds': { type: 'string', default: '30' },
      chain: { type: 'boolean', default: false },
      'audit-seal': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (given.help) {
    out(USAGE);
    return 0;
  }
  const url = given['database-url'] ?? env['DATABASE_URL'];
  if (url === undefined || url === '') throw new UnusableInput(USAGE);
  const startGraceSeconds = Number(given['start-grace-seconds']);
  if (!Number.isInteger(startGraceSeconds) || startGraceSeconds < 0) {
    throw new UnusableInput('--start-grace-seconds takes a whole number of seconds');
  }
  const seals = { peppers: readSealPeppers(env), kept: readKeptSeal(given['audit-seal']) };
  const chains = given.chain ? readNetworks() : null;
  const address = given['temporal-address'];
  const probe =
    address === undefined
      ? null
      : await connectTemporalProbe({ env, address, namespace: given.namespace });
  try {
    const connection = await connectToVerify(url);
    try {
      const verdicts = await verify({
        connection,
        clientLog: given['client-log'] ?? null,
        isWorkflowOpen: probe?.isWorkflowOpen ?? null,
        startGraceSeconds,
        operatorKeys: await readOperatorKeys(),
        seals,
        chains,
      });
      out(given.json ? renderJson(verdicts) : renderReport(verdicts));
      return verdicts.some((verdict) => verdict.status === 'violated') ? 1 : 0;
    } finally {
      await connection.close();
    }
  } finally {
    await probe?.close();
  }
}

function readSealPeppers({ PEPPER: text = '' }: VerifyCommand['env']): Peppers | null {
  if (text === '') return null;
  const peppers = readPeppers(text);
  if (peppers === null)
    throw new UnusableInput('PEPPER is not as the settings of Causeway have it');
  return peppers;
}

function readKeptSeal(text: string | undefined): KeptSeal | null {
  if (text === undefined) return null;
  const [, number, hash] = /^([1-9][0-9]{0,17}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined) {
    throw new UnusableInput('--audit-seal takes the number of a seal, a colon and its hash');
  }
  return { number, hash };
}
