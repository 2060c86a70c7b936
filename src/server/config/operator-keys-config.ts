import { readFileSync } from 'node:fs';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { ENVIRONMENTS } from '../../domain/scope.ts';
import { OPERATOR_ROLES } from '../../domain/customers/access/operator-rights.ts';
import { choice, text } from './setting-types.ts';
import { textOf, type Env, type Report } from './settings.ts';

/** What decisions of operators are signed with. */
export const OPERATOR_KEYS = Type.Object({
  opsPasskey: choice(
    'OPS_PASSKEY',
    ['required', 'software'],
    'With `required`, operators sign decisions with passkeys that `OPERATOR_KEYS_FILE` names. With `software`, the console signs for an operator after a proof: for local runs only.',
  ),
  operatorKeysFile: Type.Optional(
    text('OPERATOR_KEYS_FILE', {
      unit: 'path',
      description:
        'The keys that decisions of operators are signed with ([operator keys](../how-to/operator-keys.md)). Processes read the file again when it changes. Without it, no decision of two operators counts, and no live API key works.',
    }),
  ),
});

export type OperatorKeySettings = Static<typeof OPERATOR_KEYS>;

const OPERATOR = Type.String({ pattern: '^opr_[0-9a-z]{26}$' });
const ROLE = Type.Enum([...OPERATOR_ROLES]);
const BASE64URL = Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 2_000 });

/** The SubjectPublicKeyInfo of an Ed25519 key (RFC 8410, section 10.1) in base64, as it stands in a PEM file. */
const ED25519 = Type.String({ pattern: '^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=$' });

/** What the file of operator keys holds. `ops operators init` writes all but the file keys. */
const FILE = Type.Object(
  {
    origin: Type.String({ pattern: '^https?://[^/?#]+$', maxLength: 300 }),
    keys: Type.Array(
      Type.Object(
        {
          operator: OPERATOR,
          role: ROLE,
          credentialId: BASE64URL,
          publicKey: BASE64URL,
        },
        { additionalProperties: false },
      ),
      { maxItems: 1_000 },
    ),
    fileKeys: Type.Optional(
      Type.Array(
        Type.Object(
          { operator: OPERATOR, role: ROLE, publicKey: ED25519 },
          { additionalProperties: false },
        ),
        { maxItems: 1_000 },
      ),
    ),
    before: Type.Optional(
      Type.Array(
        Type.Object(
          {
            approval: Type.String({ pattern: '^apr_[0-9a-z]{26}$' }),
            // Files from before it was written here leave both out.
            customer: Type.Optional(Type.String({ pattern: '^cus_[0-9a-z_]{1,40}$' })),
            environment: Type.Optional(Type.Enum([...ENVIRONMENTS])),
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

/** Reads the file of operator keys. Answers what is wrong with it where it cannot be used, without any key. */
export function readOperatorKeysFile(
  path: string,
): { readonly file: OperatorKeysFile } | { readonly problem: string } {
  let file: unknown;
  try {
    file = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { problem: 'OPERATOR_KEYS_FILE must be the path of a readable JSON file' };
  }
  if (!Value.Check(FILE, file)) {
    const [first] = Value.Errors(FILE, file);
    const where =
      first === undefined ? '' : `: ${first.instancePath || 'the file'} ${first.message}`;
    return { problem: `OPERATOR_KEYS_FILE is no file of operator keys${where}` };
  }
  const operators = new Map<string, string>();
  for (const { operator, publicKey } of [...file.keys, ...(file.fileKeys ?? [])]) {
    // Two texts of base64 may say the same bytes.
    const key = Buffer.from(publicKey, 'base64').toString('hex');
    const known = operators.get(key) ?? operator;
    operators.set(key, known);
    if (known === operator) continue;
    return { problem: `OPERATOR_KEYS_FILE names one key for two operators, ${known}, ${operator}` };
  }
  return { file };
}

/** Reports what is wrong with the file, and software keys where real money may move. */
export function checkOperatorKeys(
  { opsPasskey, operatorKeysFile }: OperatorKeySettings,
  { env, urls }: { readonly env: Env; readonly urls: Readonly<Record<string, string | undefined>> },
  report: Report,
): void {
  const read = operatorKeysFile === undefined ? null : readOperatorKeysFile(operatorKeysFile);
  if (read !== null && 'problem' in read) report(['OPERATOR_KEYS_FILE'], read.problem);
  if (opsPasskey !== 'software') return;
  const use = 'OPS_PASSKEY=software is for local runs';
  if (operatorKeysFile !== undefined) {
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
