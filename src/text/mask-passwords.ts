/** Masks user names and passwords in URLs (RFC 3986, 3.2.1), and `user:password@` even without a scheme. */
export function maskPasswords(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s"'()]*@|[^\s"'()]*:[^\s"'()]*@/gi, '$1***@');
}
