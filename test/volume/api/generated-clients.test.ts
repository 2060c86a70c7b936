import { execFile } from 'node:child_process';
import { accessSync, constants, copyFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs, needsProgram } from '../../support/needs-program.ts';
import { openStack } from '../../support/e2e/stack.ts';

const ROOT = join(import.meta.dirname, '../../..');
const DOCUMENT = join(ROOT, 'docs/openapi.json');
const PROGRAMS = join(import.meta.dirname, '../generated-clients');
const RUNTIME = 'github.com/oapi-codegen/runtime@v1.8.0';
const COMMAND_MS_MAX = 400_000;

/** Where a program is: named by a variable, else on the PATH; null where it is not here. */
function find(variable: string, name: string): string | null {
  const named = process.env[variable];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const places = named ? [named] : folders.map((folder) => join(folder, name));
  return places.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const PYTHON_CLIENT = find('OPENAPI_PYTHON_CLIENT', 'openapi-python-client');
const GO_CODEGEN = find('OAPI_CODEGEN', 'oapi-codegen');
const GO = find('GO', 'go');

const stack = openStack();
const folder = mkdtempSync(join(tmpdir(), 'causeway-generated-'));
beforeAll(() => stack.untilReady());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: string, args: readonly string[], env: Record<string, string> = {}) {
  return promisify(execFile)(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    timeout: COMMAND_MS_MAX,
    maxBuffer: 16 * 1024 * 1024,
  });
}

/** The payment that a program says it has made, as the API shows it to us. */
async function expectPaid(said: string): Promise<void> {
  const [id = '', status, amount] = said.trim().split(' ');
  expect([status, amount]).toEqual(['COMPLETED', '12.50']);
  const { body } = await stack.call('GET', `/payments/${id}`);
  expect(body).toMatchObject({ id, status: 'COMPLETED', amount: '12.50', currency: 'EUR' });
}

describe('a client that is generated from the document', () => {
  it(
    'by openapi-python-client lacks nothing and makes a payment',
    { timeout: COMMAND_MS_MAX },
    async (context) => {
      if (PYTHON_CLIENT === null) {
        return needs(context, 'openapi-python-client', 'pip install openapi-python-client==0.29.1');
      }
      const generator = PYTHON_CLIENT;
      const generated = join(folder, 'generated');
      const { stdout, stderr } = await run(generator, [
        ...['generate', '--path', DOCUMENT, '--output-path', generated, '--meta', 'none'],
      ]);
      // What it cannot read it leaves out, and says so.
      expect(`${stdout}${stderr}`).not.toMatch(
        /WARNING parsing|Unable to (process|parse)|Cannot parse/,
      );
      // Beside the generator are the packages that its clients need.
      const python = join(dirname(realpathSync(generator)), 'python');
      const { apiUrl, testApiKey } = stack.state();
      const program = join(PROGRAMS, 'pay.py');
      await run(python, ['-m', 'compileall', '-q', generated]);
      const paid = await run(python, [program, apiUrl, testApiKey], { PYTHONPATH: folder });
      await expectPaid(paid.stdout);
    },
  );

  it(
    'by oapi-codegen compiles and makes a payment',
    { timeout: COMMAND_MS_MAX },
    async (context) => {
      needsProgram(context, 'go');
      const go = GO ?? '';
      if (GO_CODEGEN === null) {
        const module = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
        return needs(context, 'oapi-codegen', `go install ${module}`);
      }
      // Its pruning drops the headers of webhooks, which its types of webhooks then lack.
      const parts = 'types,client,skip-prune';
      await run(GO_CODEGEN, [
        ...['-generate', parts, '-package', 'main', '-o', 'causeway.gen.go', DOCUMENT],
      ]);
      copyFileSync(join(PROGRAMS, 'pay.go'), join(folder, 'pay.go'));
      const env = { GOFLAGS: '-mod=mod' };
      await run(go, ['mod', 'init', 'example.com/pay'], env);
      await run(go, ['get', RUNTIME], env);
      await run(go, ['build', '-o', 'pay', '.'], env);
      const { apiUrl, testApiKey } = stack.state();
      const paid = await run(join(folder, 'pay'), [apiUrl, testApiKey]);
      await expectPaid(paid.stdout);
    },
  );
});
