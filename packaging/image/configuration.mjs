import { nodeVersion } from '../contents/node-program.mjs'
import { project, storeFormat } from '../contents/places.mjs'
import { user } from './system-files.mjs'

/** Nanoseconds, as the configuration of an image has times. */
const second = 1_000_000_000

/**
 * Returns what an image says about its containers. The Dockerfile says the same.
 *
 * @param {{ version: string, created: string }} facts
 */
export const configuration = ({ version, created }) => ({
  User: `${user}:${user}`,
  Cmd: ['container-stacks'],
  WorkingDir: '/data',
  Env: [
    'PATH=/usr/local/bin:/usr/bin',
    'MALLOC_ARENA_MAX=1',
    'NODE_ENV=production',
    'SERVICE_DATA_DIR=/data',
    'SERVICE_STORE=sqlite',
    'SERVICE_STACKS_DIR=/opt/stacks',
    'AGENT_DATA_DIR=/data',
  ],
  ExposedPorts: { '8080/tcp': {}, '8443/tcp': {} },
  Volumes: { '/data': {} },
  StopSignal: 'SIGTERM',
  Healthcheck: {
    Test: ['CMD', 'node', '/opt/container-stacks/health.mjs'],
    Interval: 30 * second,
    // A busy machine needs seconds to start Node.
    Timeout: 30 * second,
    StartPeriod: 60 * second,
    Retries: 3,
  },
  Labels: {
    'org.opencontainers.image.title': 'Container Stacks',
    'org.opencontainers.image.description': project.description,
    'org.opencontainers.image.licenses': project.license,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.created': created,
    'org.opencontainers.image.base.name': `Debian packages and Node.js ${nodeVersion}`,
    'container-stacks.store-format.reads': String(storeFormat.reads),
    'container-stacks.store-format.writes': String(storeFormat.writes),
  },
})
