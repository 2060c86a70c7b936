import { Type } from 'typebox';
import { NullableTimestamp } from './common.ts';

const PublicKey = Type.String({
  description:
    'The key in the format of Standard Webhooks 1.0: `whpk_` and the 32 bytes of the key in base64.',
  examples: ['whpk_ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c/g='],
});
const expiresAt = NullableTimestamp(
  'The time at which the key expires. Signatures made after that do not use it.',
);

/** What a `publicKeys` of an endpoint holds. */
export const WebhookPublicKey = Type.Object(
  { publicKey: PublicKey, expiresAt },
  {
    title: 'WebhookPublicKey',
    additionalProperties: false,
    description: 'A public key that verifies the webhooks of an endpoint.',
  },
);

const WebhookJwk = Type.Object(
  {
    kty: Type.Literal('OKP'),
    crv: Type.Literal('Ed25519'),
    x: Type.String({
      description: 'The 32 bytes of the key, in base64url.',
      examples: ['ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c_g'],
    }),
    kid: Type.String({
      description: 'The thumbprint of the key (RFC 7638).',
      examples: ['m2BvHuzpi2b3DWNU2aiClMcnfpnTmnJtzNM7MplBIws'],
    }),
    use: Type.Literal('sig'),
    alg: Type.Literal('EdDSA'),
    publicKey: PublicKey,
    expiresAt,
  },
  {
    title: 'WebhookJwk',
    additionalProperties: false,
    description: 'An Ed25519 public key (RFC 8037).',
  },
);

export const WebhookKeys = Type.Object(
  {
    keys: Type.Array(WebhookJwk, {
      description: 'The keys, newest first. Two keys are valid during the overlap of a rotation.',
    }),
  },
  {
    title: 'WebhookKeys',
    additionalProperties: false,
    description:
      'The keys that verify the `v1a` signatures of an endpoint, as a JWK Set (RFC 7517).',
  },
);
