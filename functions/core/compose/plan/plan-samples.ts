import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import type { Plan } from './draft.ts'
import { plan } from './plan.ts'
import type { PlanOptions } from './planning.ts'
import { apply, observe, resolveAll, type SimulatedHost, simulatedHost } from './simulated-host.ts'

/** A project named `shop` in `/srv/shop`; services get an image of their own name and the default network. */
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

/** Options of a deploy that asks for nothing in particular, on an Engine of API 1.41. */
export const plainOptions: PlanOptions = {
  apiVersion: '1.41',
  pull: null,
  forceRecreate: false,
  removeOrphans: false,
  files: [],
  keptVolumes: {},
  now: 0,
}

/** A plan's text from an indented literal. */
export function lines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** Images that the hosts of `deployed` have; those of `job` end at once. */
export const images = ['db', 'web', 'job', 'other']

/** The plan of a deploy. */
export function deploy(
  host: SimulatedHost,
  project: Project,
  options: Partial<PlanOptions> = {},
): Plan {
  return plan(project, observe(host), resolveAll(host), { ...plainOptions, ...options })
}

/** A host on which a project was deployed. */
export function deployed(project: Project): SimulatedHost {
  const host = simulatedHost(images, ['job'])
  apply(host, deploy(host, project))
  return host
}

const healthcheck = { test: ['CMD', 'ok'] }
/** Conditions of dependencies. */
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

/** A project with one of its services changed. */
export function changed(
  project: Project,
  name: string,
  change: Partial<Project['services'][string]>,
) {
  const service = { ...project.services[name]!, ...change }
  return { ...project, services: { ...project.services, [name]: service } }
}
