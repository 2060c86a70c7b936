import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate authority of the test's own, by the program openssl. `remove` deletes its folder. */
export function createAuthority(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'cw-certificates-'));
  const path = (file: string): string => join(folder, file);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    ...['req', '-x509', ...KEY, '-days', '1', '-subj', `/CN=${name}`],
    ...['-keyout', path('ca.key'), '-out', path('ca.crt')],
  );

  /**
   * A certificate for this machine (127.0.0.1), for a server and for a client, unless told for whom. It is
   * valid for so many days; a negative number makes one that has expired.
   */
  function issue(subject: string, altName = 'IP:127.0.0.1', days = 1): IssuedCertificate {
    const [certFile, keyFile] = [path(`${subject}.crt`), path(`${subject}.key`)];
    writeFileSync(path('extensions'), `subjectAltName=${altName}\n`);
    openssl(
      ...['req', ...KEY, '-subj', `/CN=${subject}`],
      ...['-keyout', keyFile, '-out', path('request')],
    );
    openssl(
      ...['x509', '-req', '-in', path('request'), '-days', String(days), '-out', certFile],
      ...['-CA', path('ca.crt'), '-CAkey', path('ca.key'), '-CAcreateserial'],
      ...['-extfile', path('extensions')],
    );
    const [cert, key] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')];
    return { cert, key, certFile, keyFile };
  }

  return {
    ca: readFileSync(path('ca.crt'), 'utf8'),
    caFile: path('ca.crt'),
    issue,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
