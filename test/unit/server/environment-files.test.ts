import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEnvironment } from '../../../src/server/config/environment.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-config-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

type Kind = 'common' | 'test' | 'live';

const write = (kind: Kind, text: string, mode = 0o600) => {
  writeFileSync(join(folder, `${kind}.env`), text, { mode });
};
const read = (env: Record<string, string> = {}, warn: (line: string) => void = () => undefined) =>
  readEnvironment({ CONFIG_DIR: folder, ...env }, 'dev', warn);
const problemsOf = (env: Record<string, string> = {}): string => {
  try {
    read(env);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('the env files of CONFIG_DIR', () => {
  it('name settings of test and live without a prefix', () => {
    write('common', 'LOG_LEVEL=warn\nTEMPORAL_NAMESPACE=causeway\n');
    write('test', 'BANK_URL=https://test.example\n');
    write('live', 'BANK_URL=https://live.example\n');
    expect(read()).toEqual({
      LOG_LEVEL: 'warn',
      TEMPORAL_NAMESPACE: 'causeway',
      TEST_BANK_URL: 'https://test.example',
      LIVE_BANK_URL: 'https://live.example',
    });
  });

  it('give way to variables of the process, but not to empty ones', () => {
    write('live', 'BANK_URL=https://file.example\nKYC_URL=https://kyc.example\n');
    const env = { LIVE_BANK_URL: 'https://process.example', LIVE_KYC_URL: ' ' };
    expect(read(env)).toEqual({
      LIVE_BANK_URL: 'https://process.example',
      LIVE_KYC_URL: 'https://kyc.example',
    });
  });

  it.each([
    ['a quoted value', 'FX_BASE="EUR"', 'EUR'],
    ['a value in single quotes with #', "FX_BASE='E#R' # why", 'E#R'],
    ['trailing spaces', 'FX_BASE=EUR  \t', 'EUR'],
    ['export', 'export FX_BASE=EUR', 'EUR'],
    ['export and two spaces', 'export  FX_BASE=EUR', 'EUR'],
    ['tabs around', 'export\tFX_BASE\t=\tEUR', 'EUR'],
    ['a no-break space before a quote', 'FX_BASE=\u00a0"EUR"', 'EUR'],
    ['a byte order mark and CRLF', '\uFEFFFX_BASE=EUR\r\n# done\r\n', 'EUR'],
    ['a comment behind the value', 'FX_BASE=EUR # the euro', 'EUR'],
    ['an equals sign in the value', 'FX_BASE=a=b', 'a=b'],
  ])('may hold %s', (_what, text, value) => {
    write('common', text);
    expect(read()).toEqual({ FX_BASE: value });
  });

  it.each<[string, Kind, string, string]>([
    [
      'a duplicate',
      'test',
      'BANK_URL=a\nBANK_URL=hidden',
      'test.env line 2: BANK_URL is set twice',
    ],
    [
      'a misspelled name',
      'live',
      '\n\nBNAK_URL=hidden',
      'live.env line 3: BNAK_URL is not a setting. Did you mean BANK_URL?',
    ],
    [
      'an unknown name',
      'live',
      'SOMETHING_ELSE=hidden',
      'live.env line 1: SOMETHING_ELSE is not a setting.',
    ],
    [
      'a common setting in test.env',
      'test',
      'LOG_LEVEL=hidden',
      'test.env line 1: LOG_LEVEL is a common setting. Move it to common.env.',
    ],
    [
      'a prefix in its own file',
      'live',
      'LIVE_BANK_URL=hidden',
      'live.env line 1: LIVE_BANK_URL has a prefix that this file leaves out. Write BANK_URL.',
    ],
    [
      'a live setting in test.env',
      'test',
      'LIVE_BANK_URL=hidden',
      'LIVE_BANK_URL belongs in live.env, as BANK_URL.',
    ],
    [
      'a live setting in common.env',
      'common',
      'LIVE_BANK_URL=hidden',
      'LIVE_BANK_URL belongs in live.env, as BANK_URL.',
    ],
    [
      'a base name in common.env',
      'common',
      'BANK_URL=hidden',
      'BANK_URL belongs in test.env or live.env.',
    ],
    [
      'a setting that only live has',
      'test',
      'RETURN_WINDOW_DAYS=1',
      'RETURN_WINDOW_DAYS belongs in live.env.',
    ],
    ['CONFIG_DIR', 'common', 'CONFIG_DIR=hidden', 'CONFIG_DIR is read from the process only.'],
    [
      '# that would cut a password',
      'common',
      'SMTP_PASSWORD=hid#den',
      'put the value of SMTP_PASSWORD in quotes',
    ],
    [
      'an open quote',
      'common',
      'SMTP_PASSWORD="hidden',
      'the quote of SMTP_PASSWORD is not closed',
    ],
    [
      'text after a quote',
      'common',
      'SMTP_PASSWORD="hid"den',
      'SMTP_PASSWORD has text after its closing quote',
    ],
    [
      'a short misspelling',
      'common',
      'PEPPR=hidden',
      'PEPPR is not a setting. Did you mean PEPPER?',
    ],
    ['lower case', 'live', 'bank_url=hidden', 'bank_url is not a setting. Did you mean BANK_URL?'],
    ['a common prefix', 'common', 'LIVE_LOG_LEVEL=hidden', 'Did you mean LOG_LEVEL?'],
    ['a value that begins with #', 'common', 'PEPPER=#hidden', 'put the value of PEPPER in quotes'],
    ['a line break that quotes would make', 'common', 'PEPPER="hid\\nden"', 'in single quotes'],
    ['a wrapped secret', 'common', 'hiddenAbCd==', 'line 1: this is not the name of a setting.'],
    ['a line that is no assignment', 'common', 'hidden', 'common.env line 1: write NAME=value'],
  ])('are refused for %s, and values stay unsaid', (_what, kind, text, problem) => {
    write(kind, text);
    expect(problemsOf()).toContain(problem);
    expect(problemsOf()).not.toMatch(/hid(den|#den)/);
  });

  it('report the problems of all files at once', () => {
    write('common', 'BANK_URL=a');
    write('live', 'BNAK_URL=a\nLOG_LEVEL=a');
    expect(problemsOf({ BANK_URL: 'a' }).split('\n')).toHaveLength(5);
  });

  it('must be in a folder that holds nothing else of the kind', () => {
    expect(problemsOf()).toContain('CONFIG_DIR holds none of common.env, test.env, live.env');
    writeFileSync(join(folder, 'prod.env'), '');
    expect(problemsOf()).toContain('prod.env is not read');
    expect(problemsOf({ CONFIG_DIR: join(folder, 'absent') })).toContain(
      'CONFIG_DIR must be a folder',
    );
  });

  it('must be readable text', () => {
    mkdirSync(join(folder, 'live.env'));
    writeFileSync(join(folder, 'test.env'), Buffer.from([0xff, 0xfe, 0x41]));
    expect(problemsOf()).toContain('live.env must be a text file');
    expect(problemsOf()).toContain('test.env must be a text file');
  });

  it('may be symbolic links, as Kubernetes mounts them; a dead link is refused', () => {
    const target = join(folder, 'data');
    writeFileSync(target, 'FX_BASE=EUR', { mode: 0o600 });
    symlinkSync(target, join(folder, 'common.env'));
    expect(read()).toEqual({ FX_BASE: 'EUR' });
    rmSync(target);
    expect(problemsOf()).toContain('common.env must be a text file');
  });

  it('are refused where every user of the machine can change them', () => {
    write('live', 'BANK_URL=https://live.example', 0o644);
    chmodSync(join(folder, 'live.env'), 0o646);
    expect(problemsOf()).toContain('live.env can be changed by every user of the machine');
  });

  it('cause a warning where they hold secrets and everyone can read them', () => {
    const lines: string[] = [];
    const warn = (line: string) => lines.push(line);
    write('live', 'BANK_URL=https://live.example', 0o644);
    write('test', 'BANK_TOKEN=hidden', 0o640);
    read({}, warn);
    expect(lines).toEqual([]);
    write('common', 'PEPPER=hidden', 0o644);
    read({}, warn);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('common.env');
    expect(lines[0]).not.toContain('hidden');
  });
});

describe('the variables of the process', () => {
  it.each([
    ['LIVE_BNAK_URL', 'LIVE_BANK_URL'],
    ['LIVE_LOG_LEVEL', 'LOG_LEVEL'],
    ['LIVE_DATABASE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
  ])('are refused for %s', (name, near) => {
    const start = () => readEnvironment({ [name]: 'hidden' }, 'dev');
    expect(start).toThrow(`${name} is not a setting. Did you mean ${near}?`);
    expect(start).not.toThrow('hidden');
  });

  it.each([
    ...['PATH', 'HOME', 'PWD', 'OLDPWD', 'SHELL', 'USER', 'LOGNAME', 'HOSTNAME', 'LANG', 'LC_ALL'],
    ...['TZ', 'TMPDIR', 'TERM', 'COLORTERM', 'NO_COLOR', 'EDITOR', 'SSH_AUTH_SOCK', 'DISPLAY'],
    ...['XDG_CACHE_HOME', 'XDG_DATA_DIRS', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'],
    ...['PGHOST', 'PGPORT', 'PGUSER', 'PGPASSWORD', 'PGDATABASE', 'PGDATA', 'PGSSLMODE'],
    ...['POSTGRES_HOST', 'POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB', 'APP_PORT'],
    ...['NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_PATH', 'LOGLEVEL', 'DEBUG'],
    ...['npm_config_registry', 'npm_lifecycle_event', 'npm_package_name', 'INIT_CWD'],
    ...['CI', 'GITHUB_ACTIONS', 'GITHUB_TOKEN', 'GITHUB_API_URL', 'RUNNER_TEMP', 'GITLAB_CI'],
    ...[
      'TEST_DATABASE_URL',
      'CI_JOB_TOKEN',
      'CI_API_V4_URL',
      'BUILDKITE',
      'CIRCLECI',
      'JENKINS_URL',
      'BUILD_URL',
    ],
    ...['AWS_REGION', 'AWS_SECRET_ACCESS_KEY', 'AWS_ROLE_ARN', 'GOPROXY', 'JAVA_HOME'],
    ...['KUBERNETES_SERVICE_HOST', 'KUBERNETES_PORT', 'API_PORT', 'API_SERVICE_HOST'],
    ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'TEMPORAL_GRPC_META_X', 'VITEST', 'TEST'],
    ...['VITEST_POOL_ID', 'VITEST_WORKER_ID', 'CAUSEWAY_RUN', 'COMPOSE_PROJECT_NAME'],
  ])('may be those of other programs: %s', (name) => {
    expect(readEnvironment({ [name]: 'x' }, 'dev')).toEqual({ [name]: 'x' });
  });

  it.each([
    ['live_bank_url', 'LIVE_BANK_URL'],
    ['TEST_TEST_BANK_URL', 'TEST_BANK_URL'],
  ])('are refused for %s', (name, near) => {
    expect(() => readEnvironment({ [name]: 'x' }, 'dev')).toThrow(`Did you mean ${near}?`);
  });

  it.each([
    ...['MAILFROM', 'DATABASE_URI', 'TEMPORAL_HOST', 'TEST_HOST', 'TEST_PORT', 'TEST_LOG_LEVEL'],
    ...['POSTGRES_HOST', 'TEST_BASE_URL', 'RATE_LIMIT'],
  ])('may be a usual name: %s', (name) => {
    expect(readEnvironment({ [name]: 'x' }, 'dev')).toEqual({ [name]: 'x' });
  });

  it('of Kubernetes service links are no settings', () => {
    const links = { SMTP_PORT: 'tcp://10.0.0.7:465', SANDBOX_PORT: 'tcp://10.0.0.8:80' };
    expect(readEnvironment(links, 'dev')).toEqual({});
  });

  it('name both environments where a prefix is missing', () => {
    const start = () => readEnvironment({ BANK_URL: 'hidden' }, 'dev');
    expect(start).toThrow(
      'BANK_URL is not a setting. Did you mean TEST_BANK_URL or LIVE_BANK_URL?',
    );
  });

  it('that are empty reach no program, which could take them for a value', () => {
    const given = { TEMPORAL_API_KEY: '', TEMPORAL_ADDRESS: ' temporal:7233 ', OTHER: '' };
    expect(readEnvironment(given, 'dev')).toEqual({ TEMPORAL_ADDRESS: 'temporal:7233', OTHER: '' });
  });

  it('say whether Temporal is spoken to over TLS in words that its SDK reads', () => {
    expect(() => readEnvironment({ TEMPORAL_TLS: 'yes' }, 'dev')).toThrow(
      'TEMPORAL_TLS must be true or false',
    );
  });

  it('may be thousands of other programs', () => {
    const many = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, nth) => [`WORKLOAD_${String(nth)}_SERVICE_HOST_X`, 'x']),
    );
    expect(Object.keys(readEnvironment(many, 'dev'))).toHaveLength(3_000);
  });

  it('that are empty count as unset', () => {
    expect(() => readEnvironment({ BANK_URL: '' }, 'dev')).not.toThrow();
  });
});
