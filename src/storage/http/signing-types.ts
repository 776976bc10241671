export type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials only. */
  readonly sessionToken?: string | undefined;
};

export type RequestToSign = {
  readonly method: string;
  /** Percent-encoded, with the leading slash. */
  readonly path: string;
  /** Unencoded. */
  readonly query: Readonly<Record<string, string>>;
  /** By lower-case name, including `host`. All are signed, except in Azure. */
  readonly headers: Readonly<Record<string, string>>;
};

export type Signer = {
  /** Name of the header with the value {@link UNSIGNED_PAYLOAD}; undefined if requests have none. */
  readonly bodyDigestHeader?: string;
  /**
   * Returns a query string without `?`. The service checks the expiry by its own clock, so a late request has no
   * effect. The signatures for AWS and Google cover the headers, but not the body: R2, which uses AWS's signatures,
   * does not accept a signature of the body. A signed `content-md5` header protects the body instead. Azure's
   * signatures cover neither the headers nor the body. `time`: milliseconds since 1970 by the service's clock.
   * `lifetime`: whole seconds, at most a week.
   */
  readonly expiring: (
    request: RequestToSign,
    credentials: Credentials,
    time: number,
    lifetime: number,
  ) => string;
};

export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';
