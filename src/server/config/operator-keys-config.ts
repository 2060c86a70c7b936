import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { OPERATOR_ROLES } from '../../domain/customers/access/operator-rights.ts';
import { choice, jsonFile } from './setting-types.ts';
import { textOf, type Env, type Report } from './settings.ts';

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

export type OperatorKeySettings = Static<typeof OPERATOR_KEYS>;

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
