import type { feeds, routes } from '../../serverless.ts'

/**
 * A request that reaches an Engine. These placeholders are replaced: `{host}`, `{container}`,
 * `{image}`, `{volume}`, `{job}` and `{run}` of a backup, `{project}`, `{adoption}` and `{sha256}`,
 * `{stack}` (a deployed one) and `{own}` (a stack used by this request only).
 */
export interface EngineRequest {
  path: string
  body?: object
  /** True if `{own}` is deployed, so that there is something to change. */
  isDeployed?: true
}

type Trimmed<Text> = Text extends ` ${infer Rest}` ? Trimmed<Rest> : Text
type Line<Key> = Key extends `${infer Method} ${infer Path}`
  ? `${Method} ${Trimmed<Path> & string}`
  : never
type PortsOf<Load> = Load extends () => Promise<{ default: { with(ports: infer Ports): unknown } }>
  ? Ports
  : never

/** The routes of the manifest whose endpoints use the port `engines`. */
type EngineLine = {
  [Key in keyof typeof routes]: PortsOf<(typeof routes)[Key]> extends { engines: unknown }
    ? Line<Key>
    : never
}[keyof typeof routes]

const ofContainer = (rest: string): EngineRequest => ({
  path: `/containers/{container}${rest}?host={host}`,
})
const ofHosts = (path: string): EngineRequest[] => [
  { path: `${path}?host={host}` },
  { path: `${path}?host=all` },
]
const own = (rest: string, body?: object): EngineRequest => ({ path: `/stacks/{own}${rest}`, body })
const ownDeployed = (rest: string, body?: object): EngineRequest => ({
  ...own(rest, body),
  isDeployed: true,
})
const deployed = (rest: string, body?: object): EngineRequest => ({
  path: `/stacks/{stack}${rest}`,
  body,
})
/** A tar archive of one empty directory, `a`, without its end. */
const tar = Buffer.alloc(1024)
tar.write('a/', 0)
tar.write('0000755\0', 100)
tar.write('00000000000\0', 124)
tar.write('5', 156)
tar.write('ustar\u000000', 257)
tar.fill(' ', 148, 156)
tar.write(
  `${tar
    .subarray(0, 512)
    .reduce((sum, byte) => sum + byte, 0)
    .toString(8)
    .padStart(6, '0')}\0 `,
  148,
)
const tarWithOneDirectory = tar.toString('base64')

const job = {
  name: 'job-{host}',
  host: '{host}',
  sources: [{ kind: 'volume', name: '{volume}' }],
  target: { kind: 'local', path: 'x' },
}

/**
 * Route of the manifest → requests that reach an Engine through it. A new endpoint that uses the
 * port `engines` does not compile without an entry here.
 */
export const engineRequests: Record<EngineLine, EngineRequest[]> = {
  'GET /metrics': [{ path: '/metrics' }],
  'GET /service/upgrade': [{ path: '/service/upgrade' }],
  'POST /service/upgrade': [
    {
      path: '/service/upgrade',
      body: { version: '99.0.0', image_id: 'sha256:0', without_backup: true },
    },
  ],
  'POST /service/upgrade/check': [{ path: '/service/upgrade/check', body: { version: '99.0.0' } }],
  'GET /stacks': ofHosts('/stacks'),
  'POST /stacks': [
    {
      path: '/stacks',
      body: { name: '{own}', host: '{host}', compose: 'services: {b: {image: busybox}}' },
    },
  ],
  'POST /estate/apply': [
    {
      path: '/estate/apply',
      body: {
        estate: {
          version: 1,
          name: 'home',
          stacks: [{ name: '{own}', host: '{host}', compose: 'services: {b: {image: busybox}}' }],
        },
      },
    },
  ],
  'GET /stacks/{name}': [deployed('')],
  'PUT /stacks/{name}': [own('', { compose: 'services: {b: {image: busybox}}' })],
  'DELETE /stacks/{name}': [ownDeployed('')],
  'POST /stacks/{name}/forget': [ownDeployed('/forget')],
  'GET /stacks/{name}/diff': [deployed('/diff?to=host')],
  'PUT /stacks/{name}/file': [own('/file?path=a.conf', { content: 'a' })],
  'DELETE /stacks/{name}/file': [own('/file?path=none')],
  'POST /stacks/{name}/uploads/{id}/complete': [
    own('/uploads/none/complete', { sha256: '{sha256}' }),
  ],
  'PUT /stacks/{name}/update-policy': [own('/update-policy', { mode: 'apply' })],
  'POST /stacks/{name}/source/sync': [own('/source/sync')],
  'POST /stacks/{name}/plan': [
    deployed('/plan', {}),
    own('/plan', {}),
    own('/plan', { environment: 'none' }),
  ],
  'POST /stacks/{name}/deploy': [
    own('/deploy', {}),
    own('/deploy', { on_drift: 'import' }),
    own('/deploy', { environment: 'none' }),
  ],
  'POST /stacks/{name}/rollback': [own('/rollback', {})],
  'POST /stacks/{name}/undo': [own('/undo')],
  'POST /stacks/{name}/stop': [ownDeployed('/stop', {})],
  'POST /stacks/{name}/down': [ownDeployed('/down', {})],
  'POST /stacks/{name}/restart': [ownDeployed('/restart', {})],
  'POST /stacks/{name}/services/{service}/start': [ownDeployed('/services/b/start')],
  'POST /stacks/{name}/services/{service}/stop': [ownDeployed('/services/b/stop')],
  'POST /stacks/{name}/services/{service}/restart': [ownDeployed('/services/b/restart')],
  'POST /stacks/{name}/services/{service}/pause': [ownDeployed('/services/b/pause')],
  'POST /stacks/{name}/services/{service}/scale': [
    ownDeployed('/services/b/scale', { replicas: 1 }),
  ],
  'POST /stacks/{name}/services/{service}/pull': [ownDeployed('/services/b/pull')],
  'POST /stacks/{name}/services/{service}/build': [ownDeployed('/services/b/build')],
  'POST /stacks/{name}/services/{service}/unpause': [ownDeployed('/services/b/unpause')],
  'POST /stacks/{name}/publish': [
    deployed('/publish', { reference: 'docker.io/team/app:1', resolve_image_digests: true }),
  ],
  'GET /stacks/{name}/status': [deployed('/status')],
  'POST /stacks/{name}/jobs/{job}/run': [deployed('/jobs/none/run')],
  'POST /stacks/{name}/services/{service}/run': [deployed('/services/app/run', {})],
  'POST /stacks/{name}/services/{service}/commit': [
    deployed('/services/app/commit', { image: 'own:1' }),
  ],
  'GET /stacks/{name}/services/{service}/top': [deployed('/services/app/top')],
  'GET /stacks/{name}/logs': [deployed('/logs')],
  'GET /compose-projects': ofHosts('/compose-projects'),
  'POST /stacks/adopt': [
    { path: '/stacks/adopt', body: { name: '{project}', host: '{host}', size: 9 } },
  ],
  'POST /stacks/adopt/{id}/complete': [
    { path: '/stacks/adopt/{adoption}/complete', body: { sha256: '{sha256}' } },
  ],
  'GET /containers': ofHosts('/containers'),
  'POST /containers/compose': [
    { path: '/containers/compose?host={host}', body: { names: ['{container}'] } },
  ],
  'GET /containers/{id}': [ofContainer('')],
  'GET /containers/{id}/logs': [ofContainer('/logs')],
  'GET /containers/{id}/metrics': [{ path: '/containers/none/metrics?host={host}' }],
  'GET /containers/{id}/history': [{ path: '/containers/none/history?host={host}' }],
  'POST /containers/{id}/start': [ofContainer('/start')],
  'POST /containers/{id}/stop': [ofContainer('/stop')],
  'POST /containers/{id}/restart': [ofContainer('/restart')],
  'POST /containers/{id}/kill': [ofContainer('/kill')],
  'GET /containers/{id}/archive': [
    { path: '/containers/{container}/archive?host={host}&path=/etc/hostname' },
  ],
  'PUT /containers/{id}/archive': [
    {
      path: '/containers/{container}/archive?host={host}&path=/tmp',
      body: { data: tarWithOneDirectory },
    },
  ],
  'DELETE /containers/{id}': [ofContainer('')],
  'GET /updates': ofHosts('/updates'),
  'GET /images': ofHosts('/images'),
  'POST /images/pull': [{ path: '/images/pull', body: { image: '{image}', host: '{host}' } }],
  'POST /images/prune': [{ path: '/images/prune?host={host}' }],
  'GET /images/{id}': [{ path: '/images/{image}?host={host}' }],
  'DELETE /images/{id}': [{ path: '/images/{image}?host={host}' }],
  'GET /networks': ofHosts('/networks'),
  'GET /networks/{id}': [{ path: '/networks/bridge?host={host}' }],
  'DELETE /networks/{id}': [{ path: '/networks/none?host={host}' }],
  'GET /volumes': ofHosts('/volumes'),
  'GET /volume-sizes': ofHosts('/volume-sizes'),
  'GET /volumes/{name}': [{ path: '/volumes/{volume}?host={host}' }],
  'DELETE /volumes/{name}': [{ path: '/volumes/{volume}?host={host}' }],
  'GET /hosts': [{ path: '/hosts' }],
  'POST /hosts': [{ path: '/hosts', body: { name: 'another' } }],
  'GET /hosts/{id}': [{ path: '/hosts/{host}' }],
  'GET /hosts/{id}/prune-policy/preview': [
    { path: '/hosts/{host}/prune-policy/preview?what=unused&unused_days=30' },
  ],
  'PUT /hosts/{id}': [{ path: '/hosts/{host}', body: { tags: [] } }],
  // To revoke `{host}` would refuse all other requests to it.
  'POST /hosts/{id}/revoke': [{ path: '/hosts/none/revoke' }],
  'POST /backup-jobs': [{ path: '/backup-jobs', body: job }],
  'PUT /backup-jobs/{id}': [{ path: '/backup-jobs/{job}', body: job }],
  'POST /backup-jobs/{id}/run': [{ path: '/backup-jobs/{job}/run' }],
  'POST /backup-runs/{id}/restore': [
    { path: '/backup-runs/{run}/restore', body: { host: '{host}', overwrite: true } },
  ],
}

/** Path of a feed → URL that reaches an Engine. */
export const engineFeeds: Record<keyof typeof feeds, string> = {
  '/ws/logs/{id}': '/ws/logs/{container}?host={host}',
  '/ws/stacks/{name}/logs': '/ws/stacks/{stack}/logs',
  '/ws/stats/{id}': '/ws/stats/{container}?host={host}',
  '/ws/events': '/ws/events?host={host}',
  '/ws/exec/{id}': '/ws/exec/{container}?host={host}',
  '/ws/archive/{id}': '/ws/archive/{container}?host={host}&path=/etc/hostname',
  '/ws/attach/{id}': '/ws/attach/{container}?host={host}',
  '/ws/images/pull': '/ws/images/pull?image={image}&host={host}',
}
