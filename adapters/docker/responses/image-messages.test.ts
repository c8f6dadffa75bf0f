import { expect, test } from 'vitest'
import { knownMessage } from './engine-messages.ts'

test.each([
  [
    '127.0.0.1:18070/x:1: failed to resolve source metadata for 127.0.0.1:18070/x:1: unexpected status from HEAD request to http://127.0.0.1:18070/v2/x/manifests/1: 403 Forbidden',
    'unauthorized: ',
  ],
  [
    'error pulling image configuration: download failed after attempts=1: unknown blob',
    'lacks a part',
  ],
  [
    'failed to copy: httpReadSeeker: failed open: could not fetch content descriptor sha256:aa (application/vnd.docker.image.rootfs.diff.tar.gzip) from remote: not found',
    'lacks a part',
  ],
  [
    '127.0.0.1:18070/x:1: failed to resolve source metadata for 127.0.0.1:18070/x:1: 127.0.0.1:18070/x:1: not found',
    'manifest unknown: the registry has no such',
  ],
  [
    '127.0.0.1:18070/x:1: failed to resolve source metadata for 127.0.0.1:18070/x:1: no match for platform in manifest: not found',
    'no matching manifest: ',
  ],
  [
    "127.0.0.1:18070/x:1: failed to resolve source metadata for 127.0.0.1:18070/x:1: invalid character 'o' in literal null (expecting 'u')",
    'not the manifest of an image',
  ],
  ["invalid character 'o' in literal null (expecting 'u')", 'not the manifest of an image'],
  [
    "error unmarshalling content: invalid character '<' looking for beginning of value",
    'not the manifest of an image',
  ],
  ['unexpected end of JSON input', 'not the manifest of an image'],
  [
    '127.0.0.1:18070/x:1: failed to resolve source metadata for 127.0.0.1:18070/x:1: encountered unknown type application/nope; children may not be fetched',
    'too old for the format',
  ],
  [
    '127.0.0.1:18070/x:1: failed to resolve source metadata for 127.0.0.1:18070/x:1: support Docker Image manifest version 2, schema 1 has been removed. More information at https://docs.docker.com/go/deprecated-image-specs/',
    'schema 1',
  ],
  ['failed to register layer: unexpected EOF', 'pull it again'],
  ['unknown: <html>s3cret</html>', 'without a known reason'],
  ['operating system is not supported', 'another operating system'],
  ["'scratch' is a reserved name", 'a reserved name'],
  [
    "Decoding seccomp profile failed: invalid character 'o' in literal null (expecting 'u')",
    'the seccomp profile',
  ],
])('%s', (theirs, ours) => {
  const text = knownMessage(theirs)
  expect(text).toContain(ours)
  expect(text).not.toMatch(/s3cret|127\.0\.0\.1/)
})
