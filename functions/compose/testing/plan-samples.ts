import { serviceOf } from '../lookup.ts'
import type { Plan } from '../plan/plan-steps.ts'
import { plan } from '../plan/up/plan-project.ts'
import type { PlanOptions } from '../plan/up/planning-state.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import { apply, observe, resolveAll, simulatedHost } from './simulated-host.ts'
import type { SimulatedHost } from './simulated-state.ts'

/**
 * Returns a project named `shop` in `/srv/shop`. By default the image of a service has the name of
 * the service, and the service is in the default network.
 */
export function projectOf(
  services: Record<string, Partial<Service>>,
  rest: Partial<Project> = {},
): Project {
  const filled = Object.entries(services).map(([name, service]) => [
    name,
    {
      command: null,
      entrypoint: null,
      image: name,
      ...(service.network_mode ? {} : { networks: { default: null } }),
      ...service,
    },
  ])
  return {
    name: 'shop',
    working_dir: '/srv/shop',
    config_files: ['/srv/shop/compose.yaml'],
    services: Object.fromEntries(filled),
    disabled_services: {},
    volumes: {},
    secrets: {},
    configs: {},
    models: {},
    extensions: {},
    ...rest,
    networks: { default: { name: 'shop_default', ipam: {} }, ...rest.networks },
  }
}

/** Default options of a deploy, for an Engine with API 1.41. */
export const plainOptions: PlanOptions = {
  apiVersion: '1.41',
  pull: null,
  forceRecreate: false,
  removeOrphans: false,
  files: [],
  keptVolumes: {},
  now: 0,
}

/** Removes the indentation and empty lines of a literal. */
export function lines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** Images on the hosts of `deployed`. Containers of `job` exit at once. */
export const images = ['db', 'web', 'job', 'other']

/** Returns the plan of a deploy. */
export function deploy(
  host: SimulatedHost,
  project: Project,
  options: Partial<PlanOptions> = {},
): Plan {
  return plan(project, observe(host), resolveAll(host), { ...plainOptions, ...options })
}

/** Returns a host on which a project has been deployed. */
export function deployed(project: Project): SimulatedHost {
  const host = simulatedHost(images, ['job'])
  apply(host, deploy(host, project))
  return host
}

const healthcheck = { test: ['CMD', 'ok'] }
/** Conditions of `depends_on`. */
export const healthy = { condition: 'service_healthy', required: true } as const
export const started = { condition: 'service_started', required: true } as const
export const completed = { condition: 'service_completed_successfully', required: true } as const

/** A database with a volume, and a web server that waits until it is healthy. */
export const shop = projectOf(
  {
    db: {
      healthcheck,
      networks: { back: null },
      volumes: [{ type: 'volume', source: 'data', target: '/data', volume: {} }],
    },
    web: { networks: { back: null, default: null }, depends_on: { db: healthy } },
  },
  {
    networks: { back: { name: 'shop_back', ipam: {} } },
    volumes: { data: { name: 'shop_data' } },
  },
)

/** Returns the project with one service changed. */
export function changed(
  project: Project,
  name: string,
  change: Partial<Project['services'][string]>,
) {
  const service = { ...serviceOf(project, name), ...change }
  return { ...project, services: { ...project.services, [name]: service } }
}
