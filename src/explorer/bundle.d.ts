/** File names of assets next to the script, from `scripts/bundle-pages.ts`. */
declare module 'virtual:prepared-names' {
  export const outlineName: string;
  export const licensesName: string;
}
/** Leaflet's ES module build, which allows tree shaking. */
declare module 'leaflet/dist/leaflet-src.esm.js' {
  export * from 'leaflet';
}

declare module '*.css';
