import { describe, expect, it } from 'vitest';
import { classifyAddress } from '../../../src/modules/webhooks/address-rules.ts';
import { findUrlProblem } from '../../../src/modules/webhooks/find-url-problem.ts';
import { judgeUrl, urlPolicyFor } from '../../../src/modules/webhooks/url-rules.ts';

const LIVE = urlPolicyFor('live', true);
const TEST = urlPolicyFor('test', false);
const TEST_OPEN = urlPolicyFor('test', true);

describe('the kind of an address', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => {
      expect(classifyAddress(address)).toBe('public');
    },
  );

  it.each(['::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1'])(
    '%s carries a public one',
    (address) => {
      expect(classifyAddress(address)).toBe('public');
    },
  );

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
  ])('%s is this machine', (address) => {
    expect(classifyAddress(address)).toBe('loopback');
  });

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.255.255',
    'fc00::1',
    'fd12:3456::1',
    '::ffff:10.0.0.1',
    '::ffff:c0a8:1',
    '100.64.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '192.88.99.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '3fff::1',
    'fd00:ec2::254',
    '100::1',
    '5f00::1',
    '::127.0.0.1',
    '::ffff:169.254.169.254',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::808:808',
    '2002:7f00:1::',
    '2002:a00:1::',
    '2001:0:808:808::1',
    'example.com',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '',
  ])('%s is never sent to', (address) => {
    expect(classifyAddress(address)).toBe('forbidden');
  });
});

describe('a name', () => {
  const problemOf = (url: string, addresses: readonly string[], policy = TEST_OPEN) =>
    findUrlProblem(url, policy, () => Promise.resolve([...addresses]));

  it.each(['http://localhost:4010/', 'http://hooks.localhost/', 'http://hooks.example.com/'])(
    'may lead to this machine alone where the operator allows loopback: %s',
    async (url) => {
      expect(await problemOf(url, ['127.0.0.1', '::1'])).toBeNull();
      expect(await problemOf(url, ['8.8.8.8'])).toBeNull();
      for (const inward of ['10.0.0.1', '192.168.1.1', 'fd12::1', '169.254.169.254', '0.0.0.0']) {
        expect(await problemOf(url, [inward])).not.toBeNull();
        expect(await problemOf(url, ['127.0.0.1', inward])).not.toBeNull();
      }
    },
  );

  it('that leads to this machine and elsewhere is refused: it could be either at the socket', async () => {
    expect(await problemOf('http://hooks.example.com/', ['127.0.0.1', '8.8.8.8'])).not.toBeNull();
  });

  it('that leads to this machine is refused without the setting', async () => {
    expect(await problemOf('https://localhost/', ['127.0.0.1'], TEST)).not.toBeNull();
    expect(await problemOf('https://localhost/', ['127.0.0.1'], LIVE)).not.toBeNull();
  });
});

describe('the URL of an endpoint', () => {
  const accepts = (url: string, policy = LIVE) => judgeUrl(url, policy).ok;

  it('is https on port 443 in live', () => {
    expect(accepts('https://hooks.example.com/in?tenant=1')).toBe(true);
    expect(accepts('https://hooks.example.com:443/in')).toBe(true);
    expect(accepts('https://hooks.example.com/@ada?to=@ada')).toBe(true);
    expect(accepts('https://hooks.example.com?to=@ada')).toBe(true);
    expect(accepts('HTTPS://hooks.example.com')).toBe(true);
    expect(accepts('https://hooks.example.com:8443/in')).toBe(false);
    expect(accepts('http://hooks.example.com/in')).toBe(false);
    expect(accepts('https://127.0.0.1/in')).toBe(false);
  });

  it('may be plain http and loopback in test, where the operator allows it', () => {
    expect(accepts('http://127.0.0.1:4010/in', TEST_OPEN)).toBe(true);
    expect(accepts('http://localhost:4010/in', TEST_OPEN)).toBe(true);
    expect(accepts('http://[::1]:4010/in', TEST_OPEN)).toBe(true);
    expect(accepts('http://169.254.169.254/latest', TEST_OPEN)).toBe(false);
    expect(accepts('http://127.0.0.1:4010/in', TEST)).toBe(false);
    expect(accepts('http://hooks.example.com/in', TEST)).toBe(false);
    expect(accepts('https://hooks.example.com:8443/in', TEST)).toBe(true);
  });

  it.each([
    'http://10.0.0.1/',
    'http://167772161/',
    'http://0x0a000001/',
    'http://012.0.0.1/',
    'http://10.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://[::ffff:10.0.0.1]/',
    'http://[fc00::1]/',
    'http://[fd12:3456::1]/',
    'http://[fe80::1]/',
    'http://0.0.0.0/',
    'http://0/',
    'http://[::]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
  ])('%s is not this machine: refused in test, whatever the operator allows', (url) => {
    expect(accepts(url, TEST_OPEN)).toBe(false);
    expect(accepts(url, TEST)).toBe(false);
  });

  it.each([
    'http://127.0.0.1:4010/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://127.200.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost/',
    'http://localhost./',
  ])('%s is taken in test where the operator allows loopback, and never in live', (url) => {
    expect(accepts(url, TEST_OPEN)).toBe(true);
    expect(accepts(url, TEST)).toBe(false);
    expect(accepts(url)).toBe(false);
  });

  it.each([
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://①②⑦.0.0.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://0/',
  ])('%s is judged as the address it is', (url) => {
    expect(judgeUrl(url, LIVE)).toEqual({
      ok: false,
      message: 'The URL must resolve to public addresses only.',
    });
  });

  it.each([
    ['', 'empty'],
    ['hooks.example.com', 'without a scheme'],
    ['//hooks.example.com', 'relative'],
    ['ftp://hooks.example.com/', 'another scheme'],
    ['file:///etc/passwd', 'a file'],
    ['javascript:alert(1)', 'a script'],
    ['https://ada:sample@hooks.example.com/', 'with credentials'],
    ['https://ada@hooks.example.com/', 'with a user'],
    ['https://@hooks.example.com/', 'with empty credentials'],
    ['https:hooks.example.com', 'without slashes'],
    ['https:/hooks.example.com', 'with one slash'],
    ['https:///hooks.example.com', 'with three slashes'],
    ['https://hooks.example.com/#part', 'with a fragment'],
    ['https://hooks.example.com/#', 'with an empty fragment'],
    [' https://hooks.example.com/', 'with a blank'],
    ['https://hooks.exa\tmple.com/', 'with a tab'],
    ['https:\\\\hooks.example.com', 'with backslashes'],
    [`https://hooks.example.com/${'a'.repeat(2_048)}`, 'too long'],
    ['https://', 'without a host'],
    ['https://999.1.1.1/', 'an address that is none'],
  ])('%j is refused: %s', (url) => {
    expect(accepts(url)).toBe(false);
    expect(accepts(url, TEST_OPEN)).toBe(false);
  });
});
