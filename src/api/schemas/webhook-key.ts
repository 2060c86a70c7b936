import { Type } from 'typebox';
import { NullableTimestamp } from './common.ts';

const PublicKey = Type.String({
  description: '`whpk_` and the base64 of its 32 bytes, as Standard Webhooks 1.0 writes it.',
  examples: ['whpk_ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c/g='],
});
const expiresAt = NullableTimestamp('From then on it verifies nothing any more.');

/** What a `publicKeys` of an endpoint holds. */
export const WebhookPublicKey = Type.Object(
  { publicKey: PublicKey, expiresAt },
  {
    title: 'WebhookPublicKey',
    additionalProperties: false,
    description: 'A key that an endpoint verifies its webhooks with.',
  },
);

const WebhookJwk = Type.Object(
  {
    kty: Type.Literal('OKP'),
    crv: Type.Literal('Ed25519'),
    x: Type.String({
      description: 'Its 32 bytes as base64url.',
      examples: ['ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c_g'],
    }),
    kid: Type.String({
      description: 'Its thumbprint (RFC 7638).',
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
      description: 'Newest first; two while a rotation overlaps.',
    }),
  },
  {
    title: 'WebhookKeys',
    additionalProperties: false,
    description: 'The keys that verify the `v1a` signatures of one endpoint: a JWK Set (RFC 7517).',
  },
);
