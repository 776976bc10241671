declare module 'undici/lib/dispatcher/pool.js' {
  // biome-ignore lint/style/noDefaultExport: the export of the library
  export { Pool as default } from 'undici';
}
