/**
 * Hosts of this machine and of home networks, private IP addresses, and reserved names (RFC 2606, 6761, 6762): none
 * leads to a public server.
 */
const NOT_PUBLIC =
  /^(?:(?:.+\.)?(?:localhost|localdomain|local|internal|lan|home\.arpa|test|example|invalid)|(?:.+\.)?example\.(?:com|net|org)|127\.[\d.]+|0\.0\.0\.0|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|169\.254\.[\d.]+|\[(?:::1?|f[cd][\da-f]{2}:.*|fe80:.*)\])\.?$/i;

/** True for a URL that only this computer can reach, such as the default base URL. */
export function isLoopbackUrl(url: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}

export function isPublicUrl(url: string): boolean {
  return !NOT_PUBLIC.test(new URL(url).hostname);
}
