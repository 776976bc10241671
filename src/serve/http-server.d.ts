declare module 'http-server/lib/core/index.js' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Options = {
    root: string;
    /** Returns the `Cache-Control` for the file at a decoded path. */
    cache: (path: string) => string;
    mimeTypes: Record<string, string[]>;
    weakEtags: boolean;
    weakCompare: boolean;
    showDir: boolean;
    handleError: boolean;
  };
  // biome-ignore lint/style/noDefaultExport: it is their module
  export default function createMiddleware(
    options: Options,
  ): (request: IncomingMessage, response: ServerResponse) => void;
}
