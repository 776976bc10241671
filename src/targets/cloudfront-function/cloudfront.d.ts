declare module 'cloudfront' {
  type KeyValueStore = {
    exists: (key: string) => Promise<boolean>;
    get: (key: string) => Promise<string>;
  };
  const cf: { kvs: () => KeyValueStore };
  // biome-ignore lint/style/noDefaultExport: it is their module
  export default cf;
}
