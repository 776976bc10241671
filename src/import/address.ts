/** Restricts downloads to public network addresses. */
import { BlockList, isIP } from 'node:net';

/**
 * Special-purpose address blocks that are no public hosts (IANA special-purpose address registries, RFC 6890):
 * loopback, private, link-local (cloud metadata services among them), multicast, documentation, and the ways to write
 * an IPv4 address as an IPv6 one. `BlockList` itself handles IPv4-mapped addresses.
 */
const RESERVED: readonly string[] = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32', '2002::/16'],
  ...['3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

const reserved = new BlockList();
for (const block of RESERVED) {
  const [address, bits] = block.split('/') as [string, string];
  reserved.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
}

export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  const version = isIP(plain);
  return version === 0 || reserved.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}
