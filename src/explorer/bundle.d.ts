/** File names of assets beside the script, written by `scripts/bundle-pages.ts`. */
declare module 'virtual:prepared-names' {
  /** Outline of the world. */
  export const outlineName: string;
  /** Licences of the libraries. */
  export const licensesName: string;
}
/** Leaflet's ES module build, which allows tree shaking. */
declare module 'leaflet/dist/leaflet-src.esm.js' {
  export * from 'leaflet';
}

declare module '*.css';
