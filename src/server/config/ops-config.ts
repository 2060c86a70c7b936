import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { DATA_DIR } from './dev-config.ts';
import { ConfigError, readSettings, textOf, type Env } from './settings.ts';

/** Who sets one of these means an installation, not the local run. */
const INSTALLATION = ['TEMPORAL_ADDRESS', 'ENCRYPTION_KEYS', 'PEPPER', 'LIVE_BANK_URL'];

const OPS = Type.Object({ dataDir: DATA_DIR });

interface LocalRun {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
}

/** The variables of the networks; where neither they nor a database are named, the local run's in DATA_DIR. */
export function findNetworkFiles(env: Env): Env {
  const names = ['DATABASE_URL', 'TEST_NETWORKS_FILE', 'LIVE_NETWORKS_FILE'] as const;
  if (names.some((name) => textOf(env, name) !== '')) return env;
  const file = join(readSettings(OPS, env).dataDir, 'networks.json');
  return existsSync(file) ? { ...env, TEST_NETWORKS_FILE: file } : env;
}

/**
 * The variables that tell where database and Temporal are; where they are not set, those of the local
 * run in DATA_DIR. A command must never guess between the two, so one variable set means that both are.
 */
export function findTargets(env: Env): Record<string, string> {
  const chosen = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  if (textOf(env, 'DATABASE_URL') !== '') return chosen;
  const others = INSTALLATION.filter((name) => textOf(env, name) !== '');
  if (others.length > 0) {
    throw new ConfigError([`DATABASE_URL is not set, and ${others.join(', ')} is`]);
  }
  const { dataDir } = readSettings(OPS, env);
  const file = join(dataDir, 'state.json');
  if (!existsSync(file)) {
    throw new ConfigError([
      `DATABASE_URL is not set and no local run was found (${file}): set it, or start "npm run dev"`,
    ]);
  }
  const state = JSON.parse(readFileSync(file, 'utf8')) as LocalRun;
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
    readonly encryptionKeys: string;
    readonly pepper: string;
  };
  return {
    ...(findNetworkFiles(chosen) as Record<string, string>),
    DATABASE_URL: state.databaseUrl,
    TEMPORAL_ADDRESS: state.temporalAddress,
    ENCRYPTION_KEYS: secrets.encryptionKeys,
    PEPPER: secrets.pepper,
  };
}
