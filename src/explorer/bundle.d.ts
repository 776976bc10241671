/** Names of the files beside the script, written by `scripts/bundle-pages.ts`. */
declare module 'virtual:prepared-names' {
  /** The outline of the world. */
  export const outlineName: string;
  /** The licences of the libraries. */
  export const licensesName: string;
}
/** The build of Leaflet from which a bundler can leave out what is not used. */
declare module 'leaflet/dist/leaflet-src.esm.js' {
  export * from 'leaflet';
}

declare module '*.css';
