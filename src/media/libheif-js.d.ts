/** The parts of libheif-js that are used. The package has no types for them. */
declare module 'libheif-js/wasm-bundle.js' {
  export type HeifImage = {
    readonly is_primary: () => boolean;
    readonly get_width: () => number;
    readonly get_height: () => number;
    /** Decodes the photo, upright, into `into.data`. Calls `done` with null if the photo is damaged. */
    readonly display: (
      into: { readonly data: Uint8ClampedArray; readonly width: number; readonly height: number },
      done: (decoded: object | null) => void,
    ) => void;
  };
  const library: {
    readonly HeifDecoder: new () => { readonly decode: (bytes: Uint8Array) => readonly HeifImage[] };
  };
  // biome-ignore lint/style/noDefaultExport: it is a module of CommonJS
  export default library;
}
