/** Hosts of URLs that lead where webhooks may not go, by how they are written. */
export const BLOCKED_HOSTS: readonly string[] = [
  // This machine, in the spellings that a URL's parser or a resolver reads.
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '127.0.0.1.'],
  ...['2130706433', '017700000001', '0x7f000001', '0x7F.1', '0177.0.0.1', '0x7f.0x0.0x0.0x1'],
  ...[
    '127.0.0.0x1',
    '00000177.0.0.01',
    '1２7.0.0.1',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
  ],
  ...['localhost', 'LOCALHOST', 'localhost.', 'hooks.localhost', 'ⓛocalhost', '%6cocalhost'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::0.0.0.1]'],
  ...['[::ffff:127.0.0.1]', '[::FFFF:7F00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::127.0.0.1]'],
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::ffff:0:127.0.0.1]'],
  // Any address of this machine.
  ...['0.0.0.0', '0', '0x0', '0.1.2.3', '[::]', '[::ffff:0.0.0.0]'],
  // Private networks, and what is shared.
  ...['10.0.0.1', '10.1', '167772161', '0xa000001', '012.0.0.1', '10.255.255.255'],
  ...['172.16.0.1', '172.31.255.255', '0xac.0x10.1', '192.168.0.1', '192.168.257', '3232235521'],
  ...['100.64.0.1', '100.127.255.255', '[::ffff:10.0.0.1]', '[::ffff:c0a8:1]', '[2002:a00:1::1]'],
  ...['[64:ff9b::10.0.0.1]', '[64:ff9b:1::808:808]', '[fc00::1]', '[fd12:3456::1]', '[fec0::1]'],
  // Link-local, and the metadata of clouds.
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518'],
  ...['[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]', '[fd00:ec2::254]'],
  ...['169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192', '[fe80::1]'],
  // Documentation, benchmarks, multicast, broadcast, and what is reserved.
  ...['192.0.0.1', '192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '192.88.99.1'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '4294967295'],
  ...['[ff02::1]', '[2001:db8::1]', '[3fff::1]', '[2001::1]', '[2001:0:7f00:1::]', '[100::1]'],
  ...['[5f00::1]', '[2001:10::1]', '[4000::1]'],
  // What no URL may hold.
  ...['[fe80::1%25lo]', '[::1%lo]', '127.0.0.1%00.example.com', '256.0.0.1', '1.2.3.4.5', '0x'],
];

/** What stands before the host or after it, so that another host is read than the one that is meant. */
export const BLOCKED_URLS = (port: string): readonly string[] => [
  `https://example.com@127.0.0.1${port}/`,
  `https://example.com:pw@127.0.0.1${port}/`,
  `https://127.0.0.1${port}#@example.com/`,
  `https://127.0.0.1${port}\\@example.com/`,
  `https:\\\\127.0.0.1${port}/`,
  `https:/127.0.0.1${port}/`,
  `https:127.0.0.1${port}/`,
  `https:///127.0.0.1${port}/`,
  `https://\t127.0.0.1${port}/`,
  `https://127.0.0.1${port}\n/`,
  ` https://127.0.0.1${port}/`,
  `http://127.0.0.1${port}/`,
  `//127.0.0.1${port}/`,
  `file://127.0.0.1/etc/passwd`,
  `ftp://127.0.0.1${port}/`,
  `gopher://127.0.0.1${port}/_x`,
  `unix:/var/run/docker.sock`,
];

/** One of each kind, for what is asked of the whole API. */
export const SOME_BLOCKED_HOSTS: readonly string[] = [
  ...[
    '127.0.0.1',
    '2130706433',
    '127。0。0。1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
  ],
  ...['10.0.0.1', '169.254.169.254', '[64:ff9b::10.0.0.1]', '[fe80::1%25lo]'],
];
