import { createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  importPublicKey,
  readPublicKey,
} from '../../../src/vault/webhook-signatures/ed25519-public-key.ts';
import {
  newSigningKey,
  publicKeyOf,
} from '../../../src/vault/webhook-signatures/ed25519-signature.ts';
import { renderPublicKeys } from '../../../src/modules/webhooks/public-key-view.ts';
import {
  newWebhookSecret,
  signWebhook,
  verifyWebhook,
} from '../../../src/vault/webhook-signatures/signature.ts';

/** The vector that the Go library of Standard Webhooks is tested with, and its public half. */
const VECTOR = {
  signingKey: 'whsk_VEVTVFNJR05JTkdLRVlET05PVFVTRVRISVNGT1JBTlk=',
  publicKey: 'whpk_ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c/g=',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestampSeconds: 1614265330,
  body: '{"test": 2432232314}',
  signature:
    'v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag==',
};
const AT = new Date(VECTOR.timestampSeconds * 1000);
const MISMATCH = { ok: false, reason: 'signature_mismatch' };
const raw = (key: string) => Buffer.from(key.slice(key.indexOf('_') + 1), 'base64');
const bytesOf = (signature: string) =>
  Buffer.from(signature.slice(signature.indexOf(',') + 1), 'base64');

function judge(signature: string, keys: string[] = [VECTOR.publicKey], body = VECTOR.body) {
  const headers = {
    'webhook-id': VECTOR.id,
    'webhook-timestamp': String(VECTOR.timestampSeconds),
    'webhook-signature': signature,
  };
  return verifyWebhook(keys, headers, body, AT);
}

describe('an asymmetric signature', () => {
  it('is the one of the published vector', () => {
    expect(signWebhook(VECTOR.signingKey, VECTOR)).toBe(VECTOR.signature);
    expect(publicKeyOf(VECTOR.signingKey)).toBe(VECTOR.publicKey);
    expect(judge(VECTOR.signature)).toEqual({ ok: true, id: VECTOR.id });
  });

  it('covers every byte of id, timestamp and body', () => {
    expect(judge(VECTOR.signature, [VECTOR.publicKey], `${VECTOR.body} `)).toEqual(MISMATCH);
    const other = { ...VECTOR, id: 'msg_other' };
    expect(judge(signWebhook(VECTOR.signingKey, other))).toEqual(MISMATCH);
    const later = { ...VECTOR, timestampSeconds: VECTOR.timestampSeconds + 1 };
    expect(judge(signWebhook(VECTOR.signingKey, later))).toEqual(MISMATCH);
  });

  it('verifies beside others, under the one of several keys that it is by', () => {
    const [old, fresh] = [newSigningKey(randomBytes), newSigningKey(randomBytes)];
    const secret = newWebhookSecret(randomBytes);
    const header = [secret, fresh, old].map((key) => signWebhook(key, VECTOR)).join(' ');
    for (const key of [publicKeyOf(old), publicKeyOf(fresh), secret]) {
      expect(judge(header, [key]).ok).toBe(true);
      expect(judge(header, [VECTOR.publicKey, key]).ok).toBe(true);
    }
    expect(judge(header)).toEqual(MISMATCH);
  });

  it('keys differ, and are 32 bytes', () => {
    const key = newSigningKey(randomBytes);
    expect(key).toMatch(/^whsk_[A-Za-z0-9+/]{43}=$/);
    expect(newSigningKey(randomBytes)).not.toBe(key);
  });
});

describe('a published key', () => {
  const RAW = Buffer.from('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', 'base64url');
  const publicKey = `whpk_${RAW.toString('base64')}`;

  it('has the thumbprint that RFC 8037 computes for it (appendix A.3)', () => {
    const { keys } = renderPublicKeys([{ publicKey, expiresAt: null }], AT);
    expect(keys).toMatchObject([
      { x: RAW.toString('base64url'), kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k' },
    ]);
  });

  it('is published until the moment it ends', () => {
    const expiresAt = AT.toISOString();
    const at = (ms: number) =>
      renderPublicKeys([{ publicKey, expiresAt }], new Date(AT.getTime() + ms)).keys.length;
    expect([at(-1), at(0), at(1)]).toEqual([1, 0, 0]);
  });
});

describe('one scheme does not stand in for the other', () => {
  const secret = newWebhookSecret(randomBytes);

  it('an HMAC under the public key, which is no secret, verifies nowhere', () => {
    const content = `${VECTOR.id}.${String(VECTOR.timestampSeconds)}.${VECTOR.body}`;
    const secrets = [
      raw(VECTOR.publicKey),
      Buffer.from(VECTOR.publicKey),
      Buffer.from(VECTOR.publicKey.slice(5)),
      importPublicKey(VECTOR.publicKey).export({ format: 'der', type: 'spki' }),
    ];
    for (const key of secrets) {
      const hmac = createHmac('sha256', key).update(content).digest('base64');
      for (const version of ['v1', 'v1a', 'v2', 'V1', 'v1a,v1', '']) {
        expect(judge(`${version},${hmac}`)).toEqual(MISMATCH);
      }
    }
  });

  it('v1a says nothing to who expects v1, and v1 nothing to who expects v1a', () => {
    expect(judge(VECTOR.signature, [secret])).toEqual(MISMATCH);
    expect(judge(signWebhook(secret, VECTOR))).toEqual(MISMATCH);
    // The same bytes under the other name.
    expect(judge(VECTOR.signature.replace('v1a', 'v1'), [secret, VECTOR.publicKey])).toEqual(
      MISMATCH,
    );
    const relabelled = signWebhook(secret, VECTOR).replace('v1', 'v1a');
    expect(judge(relabelled, [secret, VECTOR.publicKey])).toEqual(MISMATCH);
  });

  it('a public key does not sign, a private key does not verify: a wrong setting is no forgery', () => {
    expect(() => signWebhook(VECTOR.publicKey, VECTOR)).toThrow(RangeError);
    expect(() => judge(VECTOR.signature, [VECTOR.signingKey])).toThrow(RangeError);
    for (const key of ['whpk_', 'whpk_AAAA', `${VECTOR.publicKey}=`, `${VECTOR.publicKey}AAAA`]) {
      expect(() => judge(VECTOR.signature, [key])).toThrow(RangeError);
    }
    for (const key of ['whsk_', 'whsk_AAAA', `${VECTOR.signingKey}=`]) {
      expect(() => signWebhook(key, VECTOR)).toThrow(RangeError);
    }
  });
});

describe('a signature has one spelling', () => {
  const text = VECTOR.signature.slice('v1a,'.length);

  it.each([
    ['cut in the middle', text.slice(0, 43)],
    ['a byte short', text.slice(0, 84)],
    ['without its padding', text.slice(0, -2)],
    ['a byte long', Buffer.concat([bytesOf(VECTOR.signature), Buffer.alloc(1)]).toString('base64')],
    ['with unused bits set', text.replace('Ag==', 'Ah==')],
    ['base64url', text.replaceAll('+', '-').replaceAll('/', '_')],
    ['with a character between', `${text.slice(0, 10)}!${text.slice(10)}`],
    ['empty', ''],
    ['twice in one', `${text},${text}`],
  ])('%s: it is none', (_what, spelled) => {
    expect(spelled).not.toBe(text);
    expect(judge(`v1a,${spelled}`)).toEqual(MISMATCH);
  });

  it('S with the order of the group added is refused', () => {
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const signature = bytesOf(VECTOR.signature);
    const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`);
    const added = Buffer.from((s + order).toString(16).padStart(64, '0'), 'hex').reverse();
    const other = Buffer.concat([signature.subarray(0, 32), added]);
    expect(other).toHaveLength(64);
    expect(judge(`v1a,${other.toString('base64')}`)).toEqual(MISMATCH);
  });

  it('of a thousand only the first are looked at, and a true one among those counts', () => {
    const junk = Array.from({ length: 1_000 }, () => `v1a,${randomBytes(64).toString('base64')}`);
    expect(judge([VECTOR.signature, ...junk].join(' ')).ok).toBe(true);
    expect(judge([...junk, VECTOR.signature].join(' '))).toEqual(MISMATCH);
    const mixed = [...junk.slice(0, 7), VECTOR.signature, ...junk].join(' ');
    expect(judge(mixed).ok).toBe(true);
  });
});

describe('a public key of small order', () => {
  const SMALL = [
    `00${'00'.repeat(30)}00`,
    `01${'00'.repeat(30)}00`,
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    `ec${'ff'.repeat(30)}7f`,
    `ed${'ff'.repeat(30)}7f`,
    `ee${'ff'.repeat(30)}7f`,
  ];
  const both = SMALL.flatMap((hex) => {
    const [plain, signed] = [Buffer.from(hex, 'hex'), Buffer.from(hex, 'hex')];
    signed[31] = (signed[31] ?? 0) | 0x80;
    return [plain, signed];
  });

  it.each(both.map((key) => [key.toString('hex'), key] as const))(
    '%s is refused: a signature made without a private key would verify under it',
    (_hex, key) => {
      // R is the neutral point and S zero: no private key went into it.
      const forged = Buffer.alloc(64);
      forged[0] = 1;
      const x = key.toString('base64url');
      const trusting = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      const isFooled = (n: number) =>
        verify(null, Buffer.from(`message ${String(n)}`), trusting, forged);
      expect(Array.from({ length: 300 }, (_, n) => n).some(isFooled)).toBe(true);
      const publicKey = `whpk_${key.toString('base64')}`;
      expect(() => readPublicKey(publicKey)).toThrow('small order');
      expect(() => judge(`v1a,${forged.toString('base64')}`, [publicKey])).toThrow(RangeError);
    },
  );
});
