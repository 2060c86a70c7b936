import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../../src/api/client/version.ts';
import { openStack } from '../../support/e2e/stack.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../../..');

/** The compilers: the one at hand, and those that the variable names, with colons between. */
const COMPILERS = [
  join(ROOT, 'node_modules/typescript/bin/tsc'),
  ...(process.env['TYPESCRIPT_5']?.split(':') ?? []),
];
const NODES = [process.execPath, ...(process.env['NODE_BINARIES']?.split(':') ?? [])];

/** As a partner's program is: strict, and with the declarations of packages looked at too. */
const STRICT = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ skipLibCheck: false, target: 'ES2022', verbatimModuleSyntax: true, rootDir: '.' },
};
const OF_NODE = { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] };

const MODULES = [
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
];

/** What the types must tell; it needs neither Node's types nor those of a browser. */
const TYPES = `
import { Causeway, webhooks, type EventOf, type Payment } from 'causeway/client';

const causeway = new Causeway({ apiKey: 'cw_test_a', baseUrl: 'https://pay.example.com' });
const order = { endUserId: 'eu_a', bankAccountId: 'ba_a', currency: 'EUR' };
export const made: Promise<Payment> = causeway.payments.create({ ...order, amount: '10.00' });
export const found = causeway.payments.list({ status: 'SENT', limit: undefined });
// @ts-expect-error An amount is text: a number is binary.
void causeway.payments.create({ ...order, amount: 10 });
// @ts-expect-error The field has another name.
void causeway.payments.create({ ...order, amount: '10.00', bankAccount: 'ba_a' });
// @ts-expect-error There is no such status.
causeway.payments.list({ status: 'PAID' });
// @ts-expect-error What only reads takes no key.
void causeway.payments.get('pay_a', { idempotencyKey: 'a' });
// @ts-expect-error An answer is not changed.
void made.then((payment) => (payment.amount = '11.00'));

const event = webhooks.verify('{}', {}, 'whsec_a');
if (event.type === 'payment.completed') {
  const status: 'COMPLETED' = event.data.status;
  const same: EventOf<'payment.completed'> = event;
  void [status, same];
}
// @ts-expect-error There is no such event.
if (event.type === 'payment.paid') void event;
export const text: Promise<string> = causeway.balanceStatements.get('EUR', '2026-11-22', { format: 'csv' });
`;

const stack = openStack();
let folder: string;
let files: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-test-client-'));
  await run('npm', ['run', 'client:pack'], { cwd: ROOT });
  const archive = join(ROOT, `dist/causeway-${VERSION}.tgz`);
  const { stdout } = await run('tar', ['-tzf', archive]);
  files = stdout
    .trim()
    .split('\n')
    .map((path) => path.replace('package/', ''));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  const install = ['install', '--offline', '--no-audit', '--no-fund', archive];
  await run('npm', install, { cwd: folder });
  mkdirSync(join(folder, 'types'));
  writeFileSync(join(folder, 'types/types.ts'), TYPES);
  cpSync(join(ROOT, 'docs/examples/client'), join(folder, 'examples'), { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compiles a folder of the partner's program; what the compiler says, '' where it is content. */
async function compile(compiler: string, include: string, options: object): Promise<string> {
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = { ...STRICT, ...options };
  writeFileSync(config, JSON.stringify({ compilerOptions, include: [include] }));
  return run(process.execPath, [compiler, '-p', config]).then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

describe('the package of the client', () => {
  it('holds the client alone, and needs no other package', () => {
    const beside = files.filter((path) => !path.startsWith('lib/'));
    expect(beside.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    const foreign = files.filter(
      (path) =>
        path.startsWith('lib/') &&
        !/^lib\/(api\/client\/[\w/-]+|vault\/webhook-signatures\/[\w-]+)(\.d\.ts|\.js)$/.test(path),
    );
    expect(foreign).toEqual([]);
    const packed = join(folder, 'node_modules/causeway/package.json');
    const { dependencies, version } = JSON.parse(readFileSync(packed, 'utf8')) as {
      dependencies?: object;
      version: string;
    };
    expect(dependencies).toBeUndefined();
    expect(version).toBe(VERSION);
    const js = files.filter((path) => path.endsWith('.js'));
    for (const path of js) {
      const text = readFileSync(join(folder, 'node_modules/causeway', path), 'utf8');
      const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, from = '']) => from);
      expect(imports.filter((from) => !/^(node:|\.{1,2}\/)/.test(from))).toEqual([]);
    }
  });

  for (const compiler of COMPILERS) {
    it(`has types that hold without those of Node or a browser, for ${compiler}`, async () => {
      for (const modules of MODULES) {
        const plain = { ...modules, types: [], lib: ['ES2022'], noEmit: true };
        expect(await compile(compiler, 'types', plain)).toBe('');
      }
      const browser = { ...MODULES[2], types: [], lib: ['ES2022', 'DOM'], noEmit: true };
      expect(await compile(compiler, 'types', browser)).toBe('');
    });

    it(`lets every example compile, for ${compiler}`, async () => {
      const options = { ...MODULES[1], ...OF_NODE, lib: ['ES2022'], noEmit: true };
      expect(await compile(compiler, 'examples', options)).toBe('');
    });
  }

  for (const node of NODES) {
    it(`pays, run by ${node}`, async () => {
      await stack.untilReady();
      const out = join(folder, 'out');
      const options = { ...MODULES[1], ...OF_NODE, lib: ['ES2022'], outDir: out };
      expect(await compile(COMPILERS[0] ?? '', 'examples', options)).toBe('');
      const { apiUrl, testApiKey } = stack.state();
      const { stdout } = await run(node, [join(out, 'examples/quickstart.js')], {
        cwd: folder,
        env: { CAUSEWAY_URL: apiUrl, CAUSEWAY_API_KEY: testApiKey },
      });
      expect(stdout).toMatch(/^pay_\w+ COMPLETED 125\.50\n$/);
    });
  }
});
