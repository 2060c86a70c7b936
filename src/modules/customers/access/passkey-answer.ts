import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** In characters; a credential's id alone may have 1,364. */
export const ANSWER_LENGTH_MAX = 12_000;

const BASE64URL = Type.String({ pattern: '^[A-Za-z0-9_-]*$', maxLength: ANSWER_LENGTH_MAX });

/** PublicKeyCredential.toJSON(): what of it is read here. The library judges the rest. */
const ANSWER = Type.Object({
  id: BASE64URL,
  rawId: BASE64URL,
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Object({}),
  response: Type.Object({
    clientDataJSON: BASE64URL,
    attestationObject: Type.Optional(BASE64URL),
    authenticatorData: Type.Optional(BASE64URL),
    signature: Type.Optional(BASE64URL),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20 })),
  }),
});

/** What a browser says that an authenticator answered; null for what has not the form of it. */
export function parseAnswer(text: string): unknown {
  if (text.length > ANSWER_LENGTH_MAX) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    return Value.Check(ANSWER, parsed) ? parsed : null;
  } catch {
    return null;
  }
}
