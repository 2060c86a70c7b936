import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../../../src/server/config/config.ts';
import { readOwnerUrl } from '../../../../src/server/config/database-config.ts';
import { readSandboxConfig } from '../../../../src/server/config/sandbox-config.ts';
import { needsProgram } from '../../../support/needs-program.ts';
import { composeSchema } from '../../../support/deploy/compose-schema.ts';

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly networks?: readonly string[];
  readonly profiles?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly read_only?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[] };
}

const root = resolve(import.meta.dirname, '../../../..');
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, unknown>>;
};
const services = Object.entries(compose.services);
const ours = services.filter(([, service]) => service.build !== undefined);

/** The TypeScript file behind `node dist/src/server/processes/x.js`. */
const sourceOf = (command: readonly string[] = []): string =>
  (command[1] ?? '').replace(/^dist\//, '').replace(/\.js$/, '.ts');
/** A tag that says which version: never none, never one that moves. */
const isPinned = (image: string): boolean =>
  /^[a-z0-9/._-]+:v?[0-9]+\.[0-9]+[a-z0-9.-]*$/.test(image);

/** What `sh deploy/make-env.sh > .env` writes. */
function makeEnv(): Record<string, string> {
  const text = execFileSync('sh', [resolve(root, 'deploy/make-env.sh')], { encoding: 'utf8' });
  const lines = text.trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
}

describe('docker-compose.yml', () => {
  it('is a compose file, down to the last property', () => {
    const ajv = new Ajv({ allErrors: true, strict: false });
    expect(ajv.validate(composeSchema, compose), ajv.errorsText()).toBe(true);
  });

  it('names every image by its version', () => {
    const loose = services.filter(([, service]) => !isPinned(service.image));
    expect(loose.map(([name]) => name)).toEqual([]);
    expect(['x', 'x:latest', 'x:18', 'x:stable'].filter(isPinned)).toEqual([]);
  });

  it('waits only for services that exist, and for health only where there is a check', () => {
    for (const [name, service] of services) {
      for (const [wanted, { condition }] of Object.entries(service.depends_on ?? {})) {
        const target = compose.services[wanted];
        expect(target, `${name} waits for ${wanted}`).toBeDefined();
        if (condition === 'service_healthy') {
          expect(target?.healthcheck?.test, `${name} waits for ${wanted}'s health`).toBeDefined();
        }
      }
    }
  });

  it('waits in no circle', () => {
    const visit = (name: string, way: readonly string[]): void => {
      expect(way, 'a service waits for itself').not.toContain(name);
      const next = Object.keys(compose.services[name]?.depends_on ?? {});
      for (const wanted of next) visit(wanted, [...way, name]);
    };
    for (const [name] of services) visit(name, []);
  });

  it('checks the health of every service that listens or stays', () => {
    const jobs = services
      .flatMap(([, service]) => Object.entries(service.depends_on ?? {}))
      .filter(([, { condition }]) => condition === 'service_completed_successfully')
      .map(([name]) => name);
    const blind = services.filter(
      ([name, service]) =>
        !jobs.includes(name) &&
        service.profiles === undefined &&
        service.healthcheck?.test === undefined,
    );
    expect(blind.map(([name]) => name)).toEqual([]);
  });

  it('runs programs that exist', () => {
    expect(ours.map(([name]) => name).sort()).toEqual([
      'api',
      'chain',
      'console',
      'dashboard',
      'migrate',
      'ops',
      'sandbox',
      'worker',
    ]);
    const missing = ours.filter(
      ([, service]) => !existsSync(resolve(root, sourceOf(service.entrypoint ?? service.command))),
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('mounts files that exist and volumes that are declared', () => {
    const sources = services.flatMap(([, service]) =>
      (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? ''),
    );
    const [paths, names] = [
      sources.filter((source) => source.startsWith('.')),
      sources.filter((source) => !source.startsWith('.')),
    ];
    expect(paths.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
    expect([...new Set(names)].sort()).toEqual(Object.keys(compose.volumes).sort());
  });

  it('publishes no port twice', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(new Set(ports).size).toBe(ports.length);
  });

  const SECRET = /PASSWORD|PWD|SECRET|ENCRYPTION_KEYS|PEPPER|DATABASE_URL/;
  // A relay may ask for no login; where it does, its password is nothing that we could make.
  const GIVEN = '${SMTP_PASSWORD:-}';
  const secrets = services.flatMap(([, service]) =>
    Object.entries(service.environment ?? {}).filter(
      ([name, value]) => SECRET.test(name) && value !== GIVEN,
    ),
  );

  it('holds no secret, and starts nothing while one is not set', () => {
    expect(secrets.length).toBeGreaterThan(10);
    const open = secrets.filter(([, value]) => !/^\$\{[A-Z_]+:\?[^}]+\}$/.test(value));
    expect(open).toEqual([]);
  });

  it('gets every secret from deploy/make-env.sh, another one at every run', (context) => {
    needsProgram(context, 'openssl');
    const [first, second] = [makeEnv(), makeEnv()];
    const needed = new Set(secrets.map(([, value]) => /^\$\{([A-Z_]+)/.exec(value)?.[1] ?? value));
    expect(Object.keys(first).sort()).toEqual([...needed].sort());
    for (const [name, value] of Object.entries(first)) expect(second[name], name).not.toBe(value);
  });

  it('gives every program an environment that it starts with', (context) => {
    needsProgram(context, 'openssl');
    const env = makeEnv();
    const environmentOf = (name: string): Record<string, string> =>
      Object.fromEntries(
        Object.entries(compose.services[name]?.environment ?? {}).map(([variable, value]) => {
          const [, asked = '', fallback] = /^\$\{([A-Z_]+):(?:-(.*)|\?.*)\}$/.exec(value) ?? [];
          return [variable, asked === '' ? value : (env[asked] ?? fallback ?? '')];
        }),
      );
    const api = readConfig(environmentOf('api'));
    expect(readConfig(environmentOf('worker')).providers).toEqual(api.providers);
    const sandbox = readSandboxConfig(environmentOf('sandbox'));
    const secretsOf = (servers: typeof sandbox.bank | typeof api.providers.bank) =>
      servers.test?.callbackSecret;
    expect(secretsOf(sandbox.bank)).toBe(secretsOf(api.providers.bank));
    expect(secretsOf(sandbox.kyc)).toBe(secretsOf(api.providers.kyc));
    expect(api.providers.bank.test?.url).toBe(
      `http://sandbox:${sandbox.bank.test?.port ?? 'none'}`,
    );
    expect(api.providers.kyc.test?.url).toBe(`http://sandbox:${sandbox.kyc.test?.port ?? 'none'}`);
    expect(sandbox.apiUrl).toBe(`http://api:${api.http.port}`);
    for (const name of ['dashboard', 'console', 'ops']) {
      expect(readConfig(environmentOf(name)).database.appUrl).toContain(`causeway_${name}_login`);
    }
    expect(readConfig(environmentOf('chain')).database.appUrl).toContain('causeway_signer');
    const { dashboardPort } = readConfig(environmentOf('dashboard')).web;
    expect(readConfig(environmentOf('console')).web.opsPort).not.toBe(dashboardPort);
    expect(readOwnerUrl(environmentOf('migrate'))).toContain('causeway_owner');
  });

  it('gives each service the secrets that it reads, and no other', () => {
    const vault = ['ENCRYPTION_KEYS', 'PEPPER'];
    const callbacks = ['TEST_BANK_CALLBACK_SECRET', 'TEST_KYC_CALLBACK_SECRET'];
    const mail = ['SMTP_PASSWORD'];
    const given = ours.map(([name, { environment = {} }]) => [
      name,
      Object.keys(environment)
        .filter((variable) => SECRET.test(variable))
        .sort(),
    ]);
    const url = ['DATABASE_URL'];
    expect(Object.fromEntries(given)).toEqual({
      migrate: url,
      api: [...url, ...vault, ...callbacks].sort(),
      dashboard: [...url, ...vault, ...mail].sort(),
      console: [...url, ...vault, ...mail].sort(),
      ops: [...url, ...vault].sort(),
      worker: [...url, ...vault, ...callbacks, ...mail].sort(),
      chain: [...url, ...vault, 'TEST_CHAIN_SIGNERS_SECRET'].sort(),
      sandbox: callbacks,
    });
  });

  it('gives every login of PostgreSQL to one kind of program', () => {
    const urlOf = (name: string) => compose.services[name]?.environment?.['DATABASE_URL'];
    expect(urlOf('worker')).toBe(urlOf('api'));
    const others = ['api', 'dashboard', 'console', 'ops', 'chain', 'migrate'].map(urlOf);
    expect(new Set(others).size).toBe(others.length);
  });

  it('puts what a proxy forwards to on the public network, and nothing else', () => {
    const on = (network: string) =>
      services.filter(([, one]) => one.networks?.includes(network)).map(([name]) => name);
    expect(on('public')).toEqual(['api', 'dashboard']);
    expect(on('operators')).toEqual(['temporal-ui', 'console']);
    const declared = Object.keys(compose.networks).sort();
    const used = services.flatMap(([, { networks = [] }]) => networks);
    expect([...new Set(used)].sort()).toEqual(declared);
    expect(services.filter(([, { networks }]) => networks === undefined)).toEqual([]);
  });

  it('publishes ports on this machine alone', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('passes the proxies to trust to each program that asks for a client’s address', () => {
    const passed = ours.filter(([, { environment }]) => environment?.['TRUSTED_PROXIES']);
    expect(passed.map(([name]) => name)).toEqual(['api', 'dashboard', 'console']);
  });

  it('lets no service gain rights, and ours write nothing beside their volumes', () => {
    for (const [name, service] of services) {
      expect(service.cap_drop, name).toEqual(['ALL']);
      expect(service.security_opt, name).toEqual(['no-new-privileges:true']);
    }
    expect(ours.filter(([, service]) => service.read_only !== true)).toEqual([]);
  });

  it('sets no variable that the documentation does not list', () => {
    const pages = ['docs/how-to/deploy.md', 'docs/reference/configuration.md'].map(read).join('');
    const names = ours.flatMap(([, service]) => Object.keys(service.environment ?? {}));
    // The page lists settings of one environment without their prefix.
    const isListed = (name: string) =>
      [name, name.replace(/^(?:TEST|LIVE)_/, '')].some((one) => pages.includes(`\`${one}\``));
    expect([...new Set(names)].filter((name) => !isListed(name))).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');
  const argumentOf = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

  it('starts from images named by their version', () => {
    const images = argumentOf('FROM').map((line) => line.split(' ')[0] ?? '');
    expect(images).toHaveLength(2);
    expect(images.filter((image) => !isPinned(image))).toEqual([]);
  });

  it('does not run as root, and says so by number', () => {
    const user = argumentOf('USER').at(-1) ?? '';
    expect(user).toMatch(/^[1-9][0-9]*:[1-9][0-9]*$/);
    expect(lines.lastIndexOf(`USER ${user}`)).toBeGreaterThan(
      lines.findLastIndex((l) => l.startsWith('RUN')),
    );
  });

  it('runs a program that exists, and checks its health', () => {
    const command = JSON.parse(argumentOf('CMD').at(-1) ?? '[]') as string[];
    expect(command).toEqual(['node', 'dist/src/server/processes/api.js']);
    expect(existsSync(resolve(root, sourceOf(command)))).toBe(true);
    expect(argumentOf('HEALTHCHECK')).toHaveLength(1);
  });

  it('copies only what .dockerignore lets in', () => {
    const letIn = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = argumentOf('COPY')
      .filter((line) => !line.startsWith('--from'))
      .flatMap((line) => line.split(' ').slice(0, -1));
    expect(copied.sort()).toEqual(letIn.sort());
    expect(letIn.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
  });
});
