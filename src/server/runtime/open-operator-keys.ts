import type { OperatorKeys } from '../../domain/approvals/operator-keys.ts';
import { createSoftwareKeys } from '../../modules/approvals/signatures/software-keys.ts';
import { createVault } from '../../vault/vault.ts';
import {
  checkOperatorKeys,
  OPERATOR_KEYS,
  type OperatorKeySettings,
  type OperatorKeysFile,
} from '../config/operator-keys-config.ts';
import { readSettings, textOf, type Env } from '../config/settings.ts';
import { VAULT, vaultConfig } from '../config/vault-config.ts';

/** The keys that settings name, which have been checked. */
export function operatorKeys(
  settings: OperatorKeySettings,
  vault: Parameters<typeof createSoftwareKeys>[0],
): OperatorKeys {
  if (settings.opsPasskey === 'software') return createSoftwareKeys(vault);
  return keysOfFile((settings.operatorKeys as OperatorKeysFile | undefined) ?? NO_KEYS);
}

const NO_KEYS: OperatorKeysFile = { origin: 'https://no-operator-keys.invalid', keys: [] };

/** The keys of a file. */
export function keysOfFile({ origin, keys, before = [] }: OperatorKeysFile): OperatorKeys {
  const byName = new Map(
    keys.map(({ operator, credentialId, publicKey, role }) => [
      `${operator} ${credentialId}`,
      { publicKey: Buffer.from(publicKey, 'base64url'), role: role },
    ]),
  );
  const known = new Map(before.map(({ approval, contentHash }) => [approval, contentHash]));
  return {
    origin,
    find: (operatorId, credentialId) =>
      byName.get(`${operatorId} ${credentialId.toString('base64url')}`) ?? null,
    isFromBefore: ({ id, contentHash }) => known.get(id) === contentHash.toString('hex'),
    sign: null,
  };
}

/**
 * The keys for programs that read nothing else; null where none are named: then nothing can be said about signatures.
 * Throws ConfigError.
 */
export function readOperatorKeys(env: Env): OperatorKeys | null {
  const isSoftware = textOf(env, 'OPS_PASSKEY') === 'software';
  if (!isSoftware && textOf(env, 'OPERATOR_KEYS_FILE') === '') return null;
  const settings = readSettings(OPERATOR_KEYS, env, (given, report) => {
    checkOperatorKeys(given, { env, urls: {} }, report);
  });
  if (!isSoftware) return operatorKeys(settings, { keyedHash: () => Buffer.alloc(32) });
  return operatorKeys(
    settings,
    createVault(vaultConfig(readSettings(VAULT, env, () => undefined))),
  );
}
