import { createHash } from 'node:crypto';
import type { OperatorKey, OperatorKeys } from '../../domain/approvals/operator-keys.ts';
import { createSoftwareKeys } from '../../modules/approvals/signatures/software-keys.ts';
import {
  checkOperatorKeys,
  OPERATOR_KEYS,
  readOperatorKeysFile,
  type OperatorKeySettings,
  type OperatorKeysFile,
} from '../config/operator-keys-config.ts';
import { ConfigError, readSettings, textOf, type Env } from '../config/settings.ts';
import { VAULT, vaultConfig } from '../config/vault-config.ts';
import { openVault } from './open-vault.ts';
import { watchOperatorKeys, type KeysListener } from './watch-operator-keys.ts';

/** The keys that settings name, which have been checked. */
export function operatorKeys(
  { opsPasskey, operatorKeysFile }: OperatorKeySettings,
  vault: Parameters<typeof createSoftwareKeys>[0],
  listener: KeysListener,
): OperatorKeys {
  if (opsPasskey === 'software') return createSoftwareKeys(vault);
  if (operatorKeysFile === undefined) return keysOfFile(NO_KEYS);
  return watchOperatorKeys({ ...listener, path: operatorKeysFile, keysOf: keysOfFile });
}

const NO_KEYS: OperatorKeysFile = { origin: 'https://no-operator-keys.invalid', keys: [] };

/** The keys of a file. */
export function keysOfFile(
  { origin, keys, fileKeys = [], before = [] }: OperatorKeysFile,
  version = 1,
): OperatorKeys {
  const byName = new Map<string, OperatorKey>();
  const add = (operator: string, credentialId: Buffer, key: OperatorKey): void => {
    byName.set(`${operator} ${credentialId.toString('base64url')}`, key);
  };
  for (const { operator, credentialId, publicKey, role } of keys) {
    const key = { kind: 'PASSKEY', publicKey: Buffer.from(publicKey, 'base64url'), role } as const;
    add(operator, Buffer.from(credentialId, 'base64url'), key);
  }
  const ofFiles = fileKeys.map(({ operator, publicKey: text, role }) => {
    const publicKey = Buffer.from(text, 'base64');
    const credentialId = createHash('sha256').update(publicKey).digest();
    add(operator, credentialId, { kind: 'FILE', publicKey, role });
    return { operator, credentialId };
  });
  const known = new Map(before.map((one) => [one.approval, one]));
  return {
    ...{ version, origin, sign: null },
    find: (operatorId, credentialId) =>
      byName.get(`${operatorId} ${credentialId.toString('base64url')}`) ?? null,
    fileKeysOf: (operatorId) =>
      ofFiles.flatMap(({ operator, credentialId }) =>
        operator === operatorId ? [credentialId] : [],
      ),
    isFromBefore({ id, customerId, environment, contentHash }) {
      const listed = known.get(id);
      return (
        listed?.contentHash === contentHash.toString('hex') &&
        (listed.customer ?? customerId) === customerId &&
        (listed.environment ?? environment) === environment
      );
    },
  };
}

/**
 * The keys for programs that read nothing else; null where none are named: then nothing can be said about signatures.
 * Throws ConfigError.
 */
export async function readOperatorKeys(env: Env): Promise<OperatorKeys | null> {
  const isSoftware = textOf(env, 'OPS_PASSKEY') === 'software';
  if (!isSoftware && textOf(env, 'OPERATOR_KEYS_FILE') === '') return null;
  const settings = readSettings(OPERATOR_KEYS, env, (given, report) => {
    checkOperatorKeys(given, { env, urls: {} }, report);
  });
  const { operatorKeysFile } = settings;
  if (operatorKeysFile === undefined) {
    return createSoftwareKeys(await openVault(vaultConfig(readSettings(VAULT, env))));
  }
  const read = readOperatorKeysFile(operatorKeysFile);
  if ('problem' in read) throw new ConfigError([read.problem]);
  return keysOfFile(read.file);
}
