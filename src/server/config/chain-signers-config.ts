import { Type, type Static } from 'typebox';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import { readSignersFile, type SignersFile } from './chain-signers-file.ts';
import { checkPublishedSecrets } from './published-secrets.ts';
import { perEnvironment, variableOf } from './setting-scope.ts';
import { jsonFile, secret, text } from './setting-types.ts';
import { readSettings, type Env, type Report } from './settings.ts';

const SECRET_BYTES = 32;

const SECRET = 'CHAIN_SIGNERS_SECRET';
const FILE = 'CHAIN_SIGNERS_FILE';

const file = () =>
  jsonFile(
    FILE,
    'The signers of the hot addresses and their hourly limits: [signers](../how-to/operate-networks.md#signers). Without it, nothing is signed. Only chain reads it.',
  );

const signersSecret = (env: string) =>
  secret(
    env,
    {
      must: 'base64 of 32 random bytes: openssl rand -base64 32',
      unit: 'base64',
      description:
        'Base64 of the 32 bytes that decrypt the sealed keys of `CHAIN_SIGNERS_FILE`. Give it only to chain, and to `npm run ops` for `chain keys` and `chain deploy --from`.',
    },
    (given) => /^[A-Za-z0-9+/]{43}=$/.test(given),
  );

/** Who signs on chains. Not among the engine's settings: API and web never read it. */
export const CHAIN_SIGNERS = perEnvironment(() =>
  Type.Object({ file: Type.Optional(file()), secret: Type.Optional(signersSecret(SECRET)) }),
);

/** The keys of one environment. */
export interface SignersConfig {
  readonly file: SignersFile;
  /** Opens the sealed keys; null where none is held so. */
  readonly secret: Buffer | null;
}
export type ChainSignersConfig = Readonly<Record<Environment, SignersConfig | null>>;

/** Reads the variables of the signers. Throws ConfigError with all problems at once. */
export function readChainSigners(env: Env): ChainSignersConfig {
  const settings = readSettings(CHAIN_SIGNERS, env, (given, report) => {
    for (const environment of ENVIRONMENTS) checkFile(environment, given[environment], report);
    checkKeptApart(given, report);
    checkPublishedSecrets(CHAIN_SIGNERS, env, report);
  });
  return { test: configOf(settings.test), live: configOf(settings.live) };
}

/** Where the sealed keys of an environment lie, and what seals them. */
export interface KeyPlace {
  readonly path: string;
  readonly secret: Buffer;
}

/** The same variables for the command that adds keys: the file need not be there. Throws ConfigError. */
export function readKeyPlace(env: Env, environment: Environment): KeyPlace {
  const names = { file: fileName(environment), secret: secretName(environment) };
  const schema = Type.Object({
    path: text(names.file, { unit: 'path', description: 'the path of the file of keys' }),
    secret: signersSecret(names.secret),
  });
  const settings = readSettings(schema, env, (_given, report) => {
    checkPublishedSecrets(schema, env, report);
  });
  return { path: settings.path, secret: Buffer.from(settings.secret, 'base64') };
}

type Given = Static<typeof CHAIN_SIGNERS>;

const fileName = (environment: Environment) => variableOf(environment, FILE);
const secretName = (environment: Environment) => variableOf(environment, SECRET);

/**
 * Addresses whose keys are published: the ten of the mnemonic "test test ... junk", with which anvil and
 * Hardhat start.
 */
const PUBLISHED_ADDRESSES: ReadonlySet<string> = new Set([
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
  '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
  '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
  '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
]);

function checkFile(
  environment: Environment,
  { file: json, secret: given }: Given[Environment],
  report: Report,
): void {
  if (json === undefined) return;
  const name = fileName(environment);
  const read = readSignersFile(json);
  if (!read.ok) {
    for (const line of read.lines) report([name], `${name}: ${line}`);
    return;
  }
  const { keys } = read.file;
  if (given === undefined && keys.some(({ kind }) => kind === 'LOCAL')) {
    const names = [name, secretName(environment)] as const;
    report(names, `${names[1]} is not set: ${name} holds sealed keys`);
  }
  if (environment === 'test') return;
  for (const { address } of keys.filter((key) => PUBLISHED_ADDRESSES.has(key.address))) {
    report([name], `${name}: the key of ${address} is published, every reader has it`);
  }
}

/** Test and live share neither key nor secret. */
function checkKeptApart({ test, live }: Given, report: Report): void {
  const [inTest, inLive] = [addressesOf(test), addressesOf(live)];
  const files = [fileName('test'), fileName('live')];
  for (const address of inTest.filter((one) => inLive.includes(one))) {
    report(files, `${files.join(' and ')} both hold ${address}: test and live share no key`);
  }
  const secrets = [secretName('test'), secretName('live')];
  if (test.secret !== undefined && test.secret === live.secret) {
    report(secrets, `${secrets.join(' and ')} must not be the same`);
  }
}

function addressesOf({ file: json }: Given[Environment]): readonly string[] {
  const read = json === undefined ? null : readSignersFile(json);
  return read?.ok === true ? read.file.keys.map(({ address }) => address) : [];
}

/** It has been checked. */
function configOf({ file: json, secret: given }: Given[Environment]): SignersConfig | null {
  const read = json === undefined ? null : readSignersFile(json);
  if (read?.ok !== true) return null;
  const bytes = given === undefined ? null : Buffer.from(given, 'base64');
  return { file: read.file, secret: bytes?.length === SECRET_BYTES ? bytes : null };
}
