import type { Bucket } from '../../src/publish/bucket.ts';

/** A bucket that notes every request, such as `write media/x.jpg`, when it is made. */
export function recorded(bucket: Bucket, requests: string[] = []): { bucket: Bucket; requests: string[] } {
  const note = (name: string, key: string) => void requests.push(`${name} ${key}`);
  return {
    requests,
    bucket: {
      name: bucket.name,
      read(key) {
        note('read', key);
        return bucket.read(key);
      },
      inspect(key) {
        note('inspect', key);
        return bucket.inspect(key);
      },
      write(key, ...rest) {
        note('write', key);
        return bucket.write(key, ...rest);
      },
      list(prefix, after) {
        note('list', prefix);
        return bucket.list(prefix, after);
      },
      remove(keys) {
        for (const key of keys) note('remove', key);
        return bucket.remove(keys);
      },
    },
  };
}
