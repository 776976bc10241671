/** The SDK warns of the end of support of a Node version that this package still supports. */
export function quietSdk(): void {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
}
