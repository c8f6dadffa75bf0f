import type { ForbiddenSample } from './forbidden-sample.ts'

/** Returns a file with a service `web` that has these lines, followed by `rest`. */
const web = (lines: string, rest = '') =>
  `services:\n  web:\n${lines.replace(/^/gm, '    ')}\n${rest}`

const service = (name: string, path: string, lines: string): ForbiddenSample => ({
  name: `dials ${name}`,
  path: `services.web.${path}`,
  compose: web(lines),
})
const resource = (name: string, path: string, rest: string, uses = 'init: true') => ({
  name: `dials ${name}`,
  path,
  compose: web(`image: busybox\n${uses}`, rest),
})

/** Images of registries without a public DNS name. */
const privateImages = [
  ...['localhost/x', 'localhost:5000/x', 'LOCALHOST:5000/x', 'localhost.:5000/x', 'nas:5000/x'],
  ...[
    '127.0.0.1:2375/x',
    '127.1:80/x',
    '0x7f.1/x',
    '0x7f.0x1/x',
    '2130706433:80/x',
    '0177.0.0.1/x',
  ],
  ...['10.0.0.1/x', '169.254.169.254/latest', '[::1]:5000/x', '[fe80::1]/x', '::1/x', '1.2.3.4./x'],
  ...['METADATA/x', 'Host/x', 'a.localhost/x', 'a.LOCALHOST:80/x', 'nas.local/x', 'nas.lan/x'],
  ...['metadata.google.internal/x', 'host.docker.internal:5000/x', 'ghcr.io./x', 'a..io/x'],
  ...[
    'http://10.0.0.1/x',
    'ghcr.io:0/x',
    'ghcr.io:99999/x',
    'user@10.0.0.1/x',
    '1.1.in-addr.arpa/x',
  ],
  ...['-a.io/x', 'a_b.io/x', 'ghcr.io:/x', 'ghcr.io%00.1/x'],
]

const images: ForbiddenSample[] = [
  ...privateImages.map((image) =>
    service(`the image ${image}`, 'image', `image: ${JSON.stringify(image)} # here`),
  ),
  service(
    'the image of a volume',
    'volumes[0]',
    'image: busybox\nvolumes:\n  - { type: image, source: 10.0.0.1/x, target: /x } # here',
  ),
  ...['pre_start', 'post_start', 'pre_stop'].map((kind) =>
    service(
      `the image of ${kind}`,
      `${kind}[0].image`,
      `image: busybox\n${kind}:\n  - command: id\n    image: nas:5000/x # here`,
    ),
  ),
]

const builds: ForbiddenSample[] = [
  ...[
    ...['https://example.com/a.git', 'http://169.254.169.254/x.tar.gz', 'git://10.0.0.1/a'],
    ...['git@example.com:a/b.git', 'ssh://root@nas/a', 'github.com/a/b', 'https://a.io/b#main:dir'],
    ...['ftp://nas/a', 'docker-image://ghcr.io/a', 'file:///etc', 'oci-layout:///etc'],
  ].map((context) =>
    service(
      `the context ${context}`,
      'build.context',
      `build:\n  context: ${JSON.stringify(context)} # here`,
    ),
  ),
  service('a short context', 'build.context', 'build: https://example.com/a.git # here'),
  ...['https://example.com/a.git', 'docker-image://nas:5000/x', 'git@nas:a', 'oci-layout:///x'].map(
    (source) =>
      service(
        `the additional context ${source}`,
        'build.additional_contexts.base',
        `build:\n  context: .\n  additional_contexts:\n    base: ${JSON.stringify(source)} # here`,
      ),
  ),
  ...['nas:5000/x', 'type=registry,ref=10.0.0.1/x', 'type=gha,url=http://10.0.0.1', 'type=s3'].map(
    (entry) =>
      service(
        `the cache ${entry}`,
        'build.cache_from[0]',
        `build:\n  context: .\n  cache_from:\n    - ${entry} # here`,
      ),
  ),
  service(
    'a cache that is written',
    'build.cache_to[0]',
    'build:\n  context: .\n  cache_to:\n    - type=registry,ref=localhost:5000/x # here',
  ),
  service(
    'a Dockerfile parser',
    'build.args.BUILDKIT_SYNTAX',
    'build:\n  context: .\n  args:\n    BUILDKIT_SYNTAX: 127.0.0.1:5000/x # here',
  ),
  service('a generator', 'build.sbom', 'build:\n  context: .\n  sbom: generator=nas:5000/x # here'),
]

const logs: ForbiddenSample[] = [
  ...['gelf', 'syslog', 'fluentd', 'splunk', 'awslogs', 'gcplogs', 'logentries', 'etwlogs'].map(
    (driver) => service(`the log driver ${driver}`, 'logging.driver', log(driver, '')),
  ),
  ...['JSON-FILE', 'json-file ', 'grafana/loki:latest', '../x', 'a-driver-of-next-year'].map(
    (driver) => service(`the log driver ${driver}`, 'logging.driver', log(driver, '')),
  ),
  ...[
    ...['gelf-address: udp://10.0.0.1:1', 'syslog-address: UNIX:///run/docker.sock'],
    ...['fluentd-address: unixgram:///x', 'splunk-url: http://nas', 'awslogs-endpoint: http://nas'],
    ...['a-new-address: tcp://nas:1', 'syslog-tls-ca-cert: /etc/shadow', 'Max-Size: 1m'],
  ].map((option) => {
    const [key] = option.split(':')
    return service(
      `the log option ${option}`,
      `logging.options.${key}`,
      `image: busybox\nlogging:\n  options:\n    ${option} # here`,
    )
  }),
]

function log(driver: string, rest: string): string {
  return `image: busybox\nlogging:\n  driver: ${JSON.stringify(driver)} # here\n${rest}`.trimEnd()
}

const plugins: ForbiddenSample[] = [
  resource(
    'an NFS server',
    'volumes.v.driver_opts.device',
    'volumes:\n  v:\n    driver_opts:\n      type: nfs\n      o: addr=nas\n      device: ":/x" # here',
  ),
  resource(
    'a file server',
    'volumes.v.driver_opts.device',
    'volumes:\n  v:\n    driver_opts:\n      type: cifs\n      device: //nas/x # here',
  ),
  resource(
    'an address in the options of a mount',
    'volumes.v.driver_opts.type',
    'volumes:\n  v:\n    driver_opts:\n      type: tmpfs # here\n      o: "size=1m, addr=10.0.0.1"',
  ),
  resource(
    'an address manager',
    'networks.n.ipam.driver',
    'networks:\n  n:\n    ipam:\n      driver: ../x # here',
    'networks: [n]',
  ),
  resource('a store of secrets', 'secrets.s.driver', 'secrets:\n  s:\n    driver: x # here'),
  service(
    'a credential spec',
    'credential_spec',
    'image: busybox\ncredential_spec: # here\n  config: x',
  ),
  service('a provider', 'provider', 'provider: # here\n  type: x'),
]

/** Files that make the Engine dial what a caller without `stacks:privileged` may not dial. */
export const dialSamples: readonly ForbiddenSample[] = [...images, ...builds, ...logs, ...plugins]

/** Files that only dial what any caller may dial, or that dial nothing. */
export const allowedDialSamples: readonly string[] = [
  ...['busybox', 'library/nginx:1', 'a/b/c', 'docker.io/a/b', 'ghcr.io/a/b:1', 'quay.io/a/b'],
  ...[
    'registry.example.org:5000/a',
    'GHCR.io/a',
    'xn--bcher-kva.xn--p1ai/a',
    'mcr.microsoft.com/a',
  ],
  `ghcr.io/a/b@sha256:${'a'.repeat(64)}`,
]
  .map((image) => web(`image: ${JSON.stringify(image)}`))
  .concat([
    web('image: localhost:5000/mine\nbuild: .'),
    web('build: { context: ., tags: ["localhost:5000/mine"], cache_from: [ghcr.io/a, "a/b"] }'),
    web('build: { context: ., args: { BUILDKIT_SYNTAX: docker/dockerfile:1 } }'),
    web('build: { context: ., args: { HTTP_PROXY: "http://10.0.0.1:3128" } }'),
    ...['json-file', 'local', 'journald', 'none'].map((driver) =>
      web(`image: busybox\nlogging: { driver: ${driver} }`),
    ),
    web('image: busybox\nlogging: { driver: json-file, options: { max-size: 1m, max-file: "3" } }'),
    web(
      'image: busybox\nlogging: { options: { tag: "{{.Name}}", labels: a, env-regex: B, mode: non-blocking } }',
    ),
    web('image: busybox\ndns: [10.0.0.1, 127.0.0.1]\nextra_hosts: ["a:host-gateway"]'),
    web('image: busybox\nhealthcheck: { test: "wget http://10.0.0.1" }'),
    web(
      'image: busybox\nnetworks: [n]',
      'networks: { n: { driver: bridge, ipam: { driver: default } } }',
    ),
  ])
