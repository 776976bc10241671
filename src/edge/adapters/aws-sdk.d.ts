/** The part of the SDK that is used; Lambda has it. */
declare module '@aws-sdk/client-s3' {
  type Place = { Bucket: string; Key: string };
  export class GetObjectCommand {
    constructor(place: Place);
    private readonly isGet: true;
  }
  export class HeadObjectCommand {
    constructor(place: Place);
    private readonly isHead: true;
  }
  export class S3Client {
    constructor(options: { region: string });
    send(command: GetObjectCommand): Promise<{ Body: { transformToString: () => Promise<string> } }>;
    send(command: HeadObjectCommand): Promise<object>;
  }
}
