import { expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { escapedText, knownMessage } from './engine-messages.ts'

test.each([
  ['No such image: busybox:1', 'No such image: busybox:1'],
  ['get data: no such volume', 'No such volume: data'],
  ['network n not found', 'No such network: n'],
  ['failed to set up container networking: network n not found', 'No such network: n'],
  [
    `Cannot restart container a: network ${'a1'.repeat(32)} not found`,
    'a network of the container was removed: deploy its stack',
  ],
  ['manifest for a/b:1 not found: manifest unknown: manifest unknown', 'manifest unknown: '],
  ['no matching manifest for linux/arm64/v8 in the manifest list entries', 'for linux/arm64/v8'],
  [
    "pull access denied for a, repository does not exist or may require 'docker login': denied: x",
    'pull access denied: ',
  ],
  ['Head "https://a.io/v2/x/manifests/1": unauthorized: authentication required', 'unauthorized: '],
  ['Get "http://10.0.0.1:81/v2/": net/http: request canceled (Client.Timeout)', 'reached'],
  ['toomanyrequests: You have reached your pull rate limit.', 'too many requests'],
  [
    'driver failed programming external connectivity on endpoint a (b): Bind for 127.0.0.1:80 failed: port is already allocated',
    'the port 127.0.0.1:80 of the host is already allocated',
  ],
  [
    'driver failed: Error starting userland proxy: listen tcp4 0.0.0.0:53: bind: address already in use',
    'the port 0.0.0.0:53 of the host is already allocated',
  ],
  ['write /var/lib/docker/x: no space left on device', 'no space left on the disk of the host'],
  ['Pool overlaps with other one on this address space', 'overlaps'],
  ['Unknown runtime specified none-such', 'the Engine has no such runtime: none-such'],
  ['unknown or invalid runtime name: none-such', 'the Engine has no such runtime: none-such'],
  ['cannot start a paused container, try unpause instead', 'the container is paused'],
  [
    'OCI runtime create failed: container_linux.go:380: starting container process caused: exec: "nope": executable file not found in $PATH: unknown',
    'executable file not found in the container: nope',
  ],
  ...['sh', '/bin/sh', 'bash', '/usr/bin/ash'].flatMap((shell) => [
    [
      `OCI runtime exec failed: exec failed: container_linux.go:380: starting container process caused: exec: "${shell}": executable file not found in $PATH: unknown`,
      `the image has no shell ${shell};`,
    ],
    [
      `OCI runtime exec failed: exec failed: unable to start container process: exec: "${shell}": stat ${shell}: no such file or directory: unknown`,
      `the image has no shell ${shell};`,
    ],
  ]),
  [
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "nosuch": executable file not found in $PATH: unknown',
    'executable file not found in the container: nosuch',
  ],
  [
    'OCI runtime exec failed: exec failed: unable to start container process: chdir to cwd ("/nowhere") set in config.json failed: no such file or directory: unknown',
    'the container has no directory /nowhere',
  ],
  [
    'OCI runtime exec failed: exec failed: unable to start container process: chdir to cwd ("/root") set in config.json failed: permission denied: unknown',
    'the container has no directory /root that its user may enter',
  ],
  [
    'OCI runtime exec failed: exec failed: unable to start container process: chdir to cwd ("/my größe") set in config.json failed: no such file or directory: unknown',
    'the container has no directory /my größe that its user may enter',
  ],
  [
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "größe": executable file not found in $PATH: unknown',
    'executable file not found in the container: größe',
  ],
  ['unable to find user nemo: no matching entries in passwd file', 'no user nemo'],
  ['unable to find user ärger: no matching entries in passwd file', 'no user ärger'],
  ['unable to find group a b: no matching entries in group file', 'no group a b'],
  ['uids and gids must be in range 0-2147483647', 'in the range 0-2147483647'],
  [
    'invalid mount config for type "bind": bind source path does not exist: /srv/my größe',
    'does not exist: /srv/my größe',
  ],
  ['Duplicate mount point: /my größe', 'two mounts have the same target: /my größe'],
  ['Container abc is paused, unpause the container before exec', 'the container is paused'],
  [
    'OCI runtime exec failed: exec failed: exec: "/x": permission denied: unknown',
    'permission denied',
  ],
  [
    'invalid mount config for type "bind": bind source path does not exist: /opt/stacks/a/x',
    'does not exist: /opt/stacks/a/x',
  ],
  [
    'configured logging driver does not support reading',
    'the log driver of the container does not support reading its log',
  ],
  ['remove data: volume is in use - [abc]', 'the volume is in use'],
  ['Container abc is not running', 'the container is not running'],
  ["The command '/bin/sh -c exit 3' returned a non-zero code: 3", 'failed with a non-zero code: 3'],
  [
    'repository name must not be more than 255 characters',
    'the name of the image is longer than 255 characters',
  ],
  ['dockerfile parse error line 2: unknown instruction: FORM', 'unknown instruction: FORM'],
  ['COPY failed: file not found in build context: stat x: file does not exist', 'not in the build'],
  ...[
    [
      'error setting rlimits for ready process: error setting rlimit type 7: operation not permitted',
      'ulimits',
    ],
    ['exec: "echo hi": executable file not found in $PATH: unknown', 'its name has a space in it'],
    [
      'unable to apply cgroup configuration: failed to write "1000": invalid argument',
      'a limit of',
    ],
    [
      'error during container init: open /proc/sys/net/foo: no such file or directory',
      'setting net/foo',
    ],
  ].map(([end, ours = '']) => [
    `failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ${end}: unknown`,
    ours,
  ]),
  ['invalid CapAdd: unknown capability: "CAP_FOO"', 'there is no capability CAP_FOO'],
  [
    'error gathering device information while adding custom device "/dev/nope": no such file or directory',
    'the host has no device /dev/nope',
  ],
  [
    'driver failed programming external connectivity on endpoint a (b): Error starting userland proxy: listen tcp4 203.0.113.7:80: bind: cannot assign requested address',
    'the host does not have the address of the published port 203.0.113.7:80',
  ],
  ['Cannot mkdir: /etc/passwd is not a directory', 'the working directory /etc/passwd is a file'],
  [
    'user specified IP address is supported on user defined networks only',
    'a static IP address requires',
  ],
  ['path /root is mounted on / but it is not a shared mount', 'a shared mount'],
  ['invalid tmpfs option ["nope"]', 'a tmpfs has an option'],
  ['Invalid value 5000, range for oom score adj is [-1000, 1000]', 'oom_score_adj must be'],
  ['Interval in Healthcheck cannot be less than 1ms', 'a value below 1 ms: Interval'],
  [
    "--storage-opt is supported only for overlay over xfs with 'pquota' mount option",
    'storage_opt: not available',
  ],
  ['Invalid isolation: "process" - linux only supports \'default\'', 'only default'],
  ['No command specified', 'the image has no command'],
  [
    'CPU cfs period can not be less than 1ms (i.e. 1000) or larger than 1s (i.e. 1000000)',
    'between 1 ms and 1 s',
  ],
  [
    'conflicting options: hostname and the network mode',
    'options that conflict: hostname and the network mode',
  ],
])('%s', (theirs, ours) => {
  expect(knownMessage(theirs)).toContain(ours)
})

test('no message quotes the response of a remote server', () => {
  for (const secret of ['s3cret', 'AKIA123', '<html>']) {
    for (const words of [
      `ADD failed: failed to GET http://127.0.0.1/x with status 404 Not Found: ${secret}`,
      `error parsing HTTP 403 response body: invalid character: "${secret}"`,
      `received unexpected HTTP status: 500 ${secret}`,
      `Error: denied: ${secret}`,
      `manifest unknown: ${secret}`,
      `error fetching: fatal: ${secret}`,
    ]) {
      expect(knownMessage(words) ?? '', words).not.toContain(secret)
    }
  }
})

test('no message contains a control character', () => {
  const known = ['No such image: ', 'exec: "', 'bind source path does not exist: ', 'Bind for ', '']
  const control = /\p{Cc}/u
  fc.assert(
    fc.property(fc.constantFrom(...known), fc.string({ unit: 'binary' }), (begin, end) => {
      expect(control.test(knownMessage(begin + end) ?? '')).toBe(false)
      expect(control.test(escapedText(begin + end))).toBe(false)
    }),
  )
})

test('knows no message in megabytes of words', () => {
  expect(knownMessage(`manifest for ${'a '.repeat(500_000)}`)).toBeUndefined()
})
