import { expect, test } from 'vitest'
import { knownMessage } from './engine-messages.ts'

test.each([
  [
    'failed to read dockerfile: no active session for nope: context deadline exceeded',
    'the connection on which',
  ],
  [
    'failed to read dockerfile: failed to load cache key: error fetching default branch for repository https://nope.invalid/x.git: git stderr:\nfatal: unable to access',
    'the build context cannot be fetched',
  ],
  [
    'failed to read downloaded context: failed to load cache key: Get "http://127.0.0.1:1/x.tar": dial tcp 127.0.0.1:1: connect: connection refused',
    'the build context cannot be fetched',
  ],
  [
    "error fetching: fatal: unable to access 'https://nope.invalid/x.git/': Could not resolve host: nope.invalid\n: exit status 128",
    'the build context cannot be fetched',
  ],
  ['failed to load cache key: invalid response status 404', 'cannot be fetched'],
  [
    'failed to load cache key: Get "http://127.0.0.1:1/x": dial tcp 127.0.0.1:1: connect: connection refused',
    'a file that the Dockerfile adds',
  ],
  [
    'failed to load cache key: error fetching default branch for repository https://nope.invalid/x.git: git stderr:\nfatal: s3cret',
    'a file that the Dockerfile adds',
  ],
  [
    'ADD failed: Get "http://127.0.0.1:1/x": dial tcp 127.0.0.1:1: connect: connection refused',
    'a file that the Dockerfile adds',
  ],
  [
    'ADD failed: failed to GET http://127.0.0.1:18070/nope with status 404 Not Found: s3cret',
    'a file that the Dockerfile adds',
  ],
  ['checksum requires HTTP(S) or Git sources', 'ADD has a checksum'],
  [
    'When using COPY with more than one source file, the destination must be a directory and end with a /',
    'must be a directory',
  ],
  ['mkdir /etc/passwd: not a directory', 'a file of the image as a directory'],
  [
    'failed to copy files: lstat /var/lib/docker/overlay2/6a/merged/etc/passwd/x: not a directory',
    'a file of the image as a directory',
  ],
  [
    'cannot copy to non-directory: /var/lib/docker/overlay2/u6/merged/etc/passwd',
    'a file of the image as a directory',
  ],
  ['lstat /nope: no such file or directory', 'does not have: /nope'],
  [
    "unable to convert uid/gid chown string to host mapping: can't find uid for user nemo: no such user: nemo",
    'no user nemo',
  ],
  ['invalid syntax', 'such as --chmod'],
  ['unsupported mount type "nope"', 'no type nope'],
  ["unexpected key 'nope' in 'nope=1' (did you mean type?)", 'not known: nope'],
  ['failed to load LLB: network.host is not allowed', 'builds with network.host'],
  [
    'device feature is only supported in Dockerfile frontend 1.14.0-labs or later',
    'a newer BuildKit',
  ],
  ['failed to parse Dockerfile: unterminated heredoc', 'has no end'],
  ['failed to process "${X": unsupported modifier (�) in substitution', 'not written right'],
  ['ENV must have two arguments', 'name=value'],
  [`Syntax error - can't find = in "be". Must be of the form: name=value`, 'name=value'],
  ['empty platform value from expression $NOPE', 'a platform of the Dockerfile is empty'],
  [
    'failed to parse platform : "" is an invalid OS component of "": OSAndVersion specifier component must match',
    'a platform of the Dockerfile is empty',
  ],
  ['a stage name already used', 'the same name'],
  ['cannot normalize nothing', 'WORKDIR is empty'],
  ["invalid escape token 'x' does not match ` or \\", 'the escape character'],
  [
    'failed to parse Dockerfile: only one syntax parser directive can be used',
    'a parser directive twice',
  ],
  ['dockerfile line greater than max allowed size of 65535', 'too long'],
  ['lint violation found for rules: ConsistentInstructionCasing', 'check=error'],
  ['No image was generated. Is your Dockerfile empty?', 'makes no image'],
  ['network mode "nope" not supported by buildkit', 'build.network'],
  ['unsupported isolation: "nope"', 'only default'],
  ['the dockerfile cannot be empty', 'the Dockerfile cannot be parsed'],
  [
    'process "/bin/sh -c echo unsupported mount type x" did not complete successfully: exit code: 3',
    'exit code: 3',
  ],
])('%s', (theirs, ours) => {
  const text = knownMessage(theirs)
  expect(text).toContain(ours)
  expect(text).not.toMatch(/s3cret|overlay2|127\.0\.0\.1|nope\.invalid/)
})
