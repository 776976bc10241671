import { BucketError } from '../bucket.ts';
import { bucketAddress } from '../http/address.ts';
import {
  openStoreConnection,
  type StoreOptions,
  type StoreRequest,
  type StoreResponse,
} from '../http/connection.ts';
import { errorFromFailure, errorFromResponse, type RequestContext } from '../http/errors.ts';
import { createCredentialProvider, findRegion } from './account.ts';
import { GOOGLE_ENDPOINT, GOOGLE_SCHEME, isGoogleEndpoint } from './google.ts';
import { createSigner } from './signature.ts';

export type S3Options = StoreOptions & {
  /** `gs` for Google Cloud Storage, whatever the endpoint. @default 's3' */
  readonly scheme?: 's3' | 'gs' | undefined;
  /**
   * Not used for Google.
   * @default the region of the environment or the AWS profile. If neither has one: `us-east-1` if there is an endpoint;
   * otherwise requests throw BucketError `bucket-region`
   */
  readonly region?: string | undefined;
};

export type S3Store = {
  readonly name: string;
  /** Prefix of every key, with a trailing slash; empty for none. */
  readonly keyPrefix: string;
  readonly isAws: boolean;
  /** Google has headers of its own, and neither multipart uploads nor a removal of several keys. */
  readonly isGoogle: boolean;
  /**
   * Returns a successful response.
   * @throws ConditionFailed, ObjectNotFound, RequestExpired, BucketError or the reason of `limit.signal`
   */
  readonly ask: (request: StoreRequest, isConditional?: boolean) => Promise<StoreResponse>;
  readonly close: () => void;
};

/** Connects with the first request, since the region may have to be read from a file. */
export function openS3Store(options: S3Options): S3Store {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const { scheme = 's3', bucket, prefix } = options;
  const usual = scheme === 'gs' ? GOOGLE_ENDPOINT : AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL || undefined;
  const endpoint = options.endpoint ?? usual;
  const isGoogle = scheme === 'gs' || (endpoint !== undefined && isGoogleEndpoint(endpoint));
  const keyPrefix = prefix === '' ? '' : `${prefix}/`;
  const name = `${scheme}://${bucket}${prefix && `/${prefix}`}`;
  let opened: ReturnType<typeof connect> | undefined;
  const open = () => {
    opened ??= connect({ ...options, endpoint }, isGoogle).catch((error: unknown) => {
      throw errorFromFailure(error, { where: name, isConditional: false, region: '' });
    });
    return opened;
  };
  return {
    name,
    keyPrefix,
    isAws: endpoint === undefined,
    isGoogle,
    async ask(request, isConditional = false) {
      const { connection, region } = await open();
      const asked = (): RequestContext => {
        const isBucket = request.key === undefined;
        const where = isBucket ? name : `${name}/${request.key.slice(keyPrefix.length)}`;
        const permission = permissionOf(request, isGoogle);
        return { where, isConditional, region, permission, isHead: request.method === 'HEAD', isBucket };
      };
      let answer: StoreResponse;
      try {
        answer = await connection.send(request);
      } catch (error) {
        request.limit?.signal.throwIfAborted();
        throw errorFromFailure(error, asked());
      }
      if (answer.status > 299) throw errorFromResponse(answer, asked());
      return answer;
    },
    close: () => void opened?.then(({ connection }) => connection.close()).catch(() => {}),
  };
}

const PERMISSIONS: Readonly<Record<StoreRequest['method'], readonly [s3: string, google: string]>> = {
  GET: ['s3:GetObject', 'storage.objects.get'],
  HEAD: ['s3:GetObject', 'storage.objects.get'],
  PUT: ['s3:PutObject', 'storage.objects.create and storage.objects.delete'],
  POST: ['s3:PutObject', 'storage.objects.create'],
  DELETE: ['s3:DeleteObject', 'storage.objects.delete'],
};
const BY_PARAMETER: Readonly<Record<string, readonly [s3: string, google: string]>> = {
  'list-type': ['s3:ListBucket', 'storage.objects.list'],
  delete: ['s3:DeleteObject', 'storage.objects.delete'],
  versioning: ['s3:GetBucketVersioning', 'storage.buckets.get'],
};

function permissionOf({ method, key, query = {} }: StoreRequest, isGoogle: boolean): string {
  const parameter = Object.keys(query).find((name) => Object.hasOwn(BY_PARAMETER, name));
  const isUploads = 'uploads' in query && key === undefined;
  const isAbort = 'uploadId' in query && method === 'DELETE';
  if (isUploads || isAbort) return isAbort ? 's3:AbortMultipartUpload' : 's3:ListBucketMultipartUploads';
  const [s3, google] = parameter === undefined ? PERMISSIONS[method] : BY_PARAMETER[parameter]!;
  return isGoogle ? google : s3;
}

async function connect(options: S3Options, isGoogle: boolean) {
  const { bucket, endpoint, connections, timeout } = options;
  const region = isGoogle ? 'auto' : options.region;
  const found = region ?? (await findRegion()) ?? (endpoint ? 'us-east-1' : undefined);
  if (!found) {
    throw new BucketError(
      'bucket-region',
      `There is no region for s3://${bucket}. Name it with --region or AWS_REGION.`,
      false,
    );
  }
  const connection = await openStoreConnection({
    address: bucketAddress(bucket, found, endpoint),
    signer: isGoogle ? createSigner('storage', found, GOOGLE_SCHEME) : createSigner('s3', found),
    credentials: createCredentialProvider(),
    connections,
    timeout,
  });
  return { connection, region: found };
}
