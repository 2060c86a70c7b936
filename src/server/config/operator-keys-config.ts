import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { OPERATOR_ROLES } from '../../domain/customers/access/operator-rights.ts';
import type { OperatorKeys } from '../../modules/approvals/signatures/operator-keys.ts';
import { createSoftwareKeys } from '../../modules/approvals/signatures/software-keys.ts';
import { createVault } from '../../vault/vault.ts';
import { choice, jsonFile } from './setting-types.ts';
import { readSettings, textOf, type Env, type Report } from './settings.ts';
import { VAULT, vaultConfig } from './vault-config.ts';

/** What decisions of operators are signed with. */
export const OPERATOR_KEYS = Type.Object({
  opsPasskey: choice(
    'OPS_PASSKEY',
    ['required', 'software'],
    'With `required`, operators sign decisions with passkeys that `OPERATOR_KEYS_FILE` names. With `software`, the console signs for an operator after a proof: for local runs only.',
  ),
  operatorKeys: Type.Optional(
    jsonFile(
      'OPERATOR_KEYS_FILE',
      'The passkeys that decisions of operators are signed with ([operator keys](../how-to/operator-keys.md)). Without it, no decision of two operators counts, and no live API key works.',
    ),
  ),
});

type OperatorKeySettings = Static<typeof OPERATOR_KEYS>;

const BASE64URL = Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 2_000 });

/** What the file of operator keys holds. `ops operators keys` writes it. */
const FILE = Type.Object(
  {
    origin: Type.String({ pattern: '^https?://[^/?#]+$', maxLength: 300 }),
    keys: Type.Array(
      Type.Object(
        {
          operator: Type.String({ pattern: '^opr_[0-9a-z]{26}$' }),
          role: Type.Enum([...OPERATOR_ROLES]),
          credentialId: BASE64URL,
          publicKey: BASE64URL,
        },
        { additionalProperties: false },
      ),
      { maxItems: 1_000 },
    ),
    before: Type.Optional(
      Type.Array(
        Type.Object(
          {
            approval: Type.String({ pattern: '^apr_[0-9a-z]{26}$' }),
            contentHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 100_000 },
      ),
    ),
  },
  { additionalProperties: false },
);

export type OperatorKeysFile = Static<typeof FILE>;

/** A name of this machine, or an address of it. */
const LOOPBACK = /^(.+\.)?localhost$|^127(\.[0-9]{1,3}){3}$|^\[::1\]$/;

/** Reports what is wrong with the file, and software keys where real money may move. */
export function checkOperatorKeys(
  { opsPasskey, operatorKeys }: OperatorKeySettings,
  { env, urls }: { readonly env: Env; readonly urls: Readonly<Record<string, string | undefined>> },
  report: Report,
): void {
  if (operatorKeys !== undefined && !Value.Check(FILE, operatorKeys)) {
    const [first] = Value.Errors(FILE, operatorKeys);
    const where =
      first === undefined ? '' : `: ${first.instancePath || 'the file'} ${first.message}`;
    report(['OPERATOR_KEYS_FILE'], `OPERATOR_KEYS_FILE is no file of operator keys${where}`);
  }
  if (opsPasskey !== 'software') return;
  const use = 'OPS_PASSKEY=software is for local runs';
  if (operatorKeys !== undefined) {
    report(['OPS_PASSKEY', 'OPERATOR_KEYS_FILE'], `${use}: it takes no OPERATOR_KEYS_FILE`);
  }
  if (textOf(env, 'NODE_ENV') === 'production') {
    report(['OPS_PASSKEY', 'NODE_ENV'], `${use}: NODE_ENV must not be production`);
  }
  for (const [name, text] of Object.entries(urls)) {
    if (text === undefined || !URL.canParse(text) || LOOPBACK.test(new URL(text).hostname))
      continue;
    report(['OPS_PASSKEY', name], `${use}: ${name} must be a loopback URL`);
  }
}

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
