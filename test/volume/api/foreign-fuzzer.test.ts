import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { openStack } from '../../support/e2e/stack.ts';
import { prepareFuzzedCustomer } from '../fuzzer/customer.ts';
import { needs } from '../../support/needs-program.ts';
import { fuzzerConfig, fuzzerGiven } from '../fuzzer/config.ts';
import { seedOf, sizeOf } from '../../support/campaign.ts';

const COMMAND = process.env['SCHEMATHESIS'] ?? 'schemathesis';
const REPORT = 'report.json';
const HOOKS = join(import.meta.dirname, '../fuzzer');
const SEED = seedOf(20_261_123);
const SECONDS_MAX = sizeOf(40, 180);
/** With what the fuzzer needs to read the document, to end, and to shrink what it found. */
const TEST_MS_MAX = 600_000;

/**
 * So many operations may go without a success of its: what it is given runs out in its time (16 endpoints, one payment
 * that moves once, no day that is over). fuzz.test.ts reaches every one.
 */
const UNMET_MAX = sizeOf(12, 6);

const isHere = spawnSync(COMMAND, ['--version']).status === 0;
const stack = openStack();

beforeEach((context) => {
  if (!isHere) needs(context, 'Schemathesis', 'pip install schemathesis==4.32.5');
});

beforeAll(async () => {
  if (isHere) await stack.untilReady();
});

/** What is read of the fuzzer's own report: what each operation said to valid requests, by phase. */
interface Report {
  readonly valid_rates: Readonly<Record<string, Readonly<Record<string, { accepted: number }>>>>;
}

/** Runs the fuzzer in a folder that holds its configuration; what it says, and its exit code. */
async function fuzz(folder: string, given: string): Promise<{ code: number | null; said: string }> {
  const { apiUrl } = stack.state();
  const child = spawn(
    COMMAND,
    [
      ...['run', `${apiUrl}/api/v1/openapi.json`, '--url', apiUrl, '--no-color'],
      ...['--max-time', String(SECONDS_MAX), '--exclude-tag', 'Provider callbacks'],
      ...['--report-json-path', join(folder, REPORT)],
    ],
    {
      cwd: folder,
      env: {
        ...process.env,
        ...{ PYTHONPATH: HOOKS, PYTHONDONTWRITEBYTECODE: '1', SCHEMATHESIS_HOOKS: 'hooks' },
        FUZZER_GIVEN: given,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  }
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, said };
}

it(
  'a fuzzer that knows only the document finds nothing that is not as documented',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-fuzzer-'));
    try {
      const customer = await prepareFuzzedCustomer(stack);
      writeFileSync(join(folder, 'schemathesis.toml'), fuzzerConfig(customer, SEED));
      const { code, said } = await fuzz(folder, fuzzerGiven(customer));
      expect(code, said).toBe(0);
      const report = JSON.parse(readFileSync(join(folder, REPORT), 'utf8')) as Report;
      const unmet = Object.entries(report.valid_rates)
        .filter(([, phases]) => Object.values(phases).every(({ accepted }) => accepted === 0))
        .map(([name]) => name);
      expect(unmet.length, unmet.join(', ')).toBeLessThanOrEqual(UNMET_MAX);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  TEST_MS_MAX,
);
