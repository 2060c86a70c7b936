import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type JsonGeneralName,
} from '@peculiar/x509';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 60 * 60_000;
const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/** A certificate authority of the test's own. `remove` deletes its folder. */
export async function createAuthority(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'cw-certificates-'));
  const write = (file: string, text: string): string => {
    writeFileSync(join(folder, file), text);
    return join(folder, file);
  };
  const authorityKeys = await newKeys();
  const authority = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    ...validity(1),
    ...{ keys: authorityKeys, signingAlgorithm: ALGORITHM },
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  const ca = `${authority.toString('pem')}\n`;
  const caFile = write('ca.crt', ca);

  /**
   * A certificate for this machine (127.0.0.1), for a server and for a client, unless told for whom. It is
   * valid for so many days; a negative number makes one that has expired.
   */
  async function issue(
    subject: string,
    altNames: JsonGeneralName[] = [{ type: 'ip', value: '127.0.0.1' }],
    days = 1,
  ): Promise<IssuedCertificate> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.create({
      ...{ subject: `CN=${subject}`, issuer: authority.subject },
      ...validity(days),
      ...{ publicKey: keys.publicKey, signingKey: authorityKeys.privateKey },
      signingAlgorithm: ALGORITHM,
      extensions: [new SubjectAlternativeNameExtension(altNames)],
    });
    const cert = `${certificate.toString('pem')}\n`;
    const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
    const key = `${PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`;
    const [certFile, keyFile] = [write(`${subject}.crt`, cert), write(`${subject}.key`, key)];
    return { cert, key, certFile, keyFile };
  }

  return {
    ca,
    caFile,
    issue,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** From now on for so many days, or until so many days ago. */
function validity(days: number): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return {
    notBefore: new Date(now + Math.min(days - 1, 0) * DAY_MS - 60_000),
    notAfter: new Date(now + days * DAY_MS),
  };
}
