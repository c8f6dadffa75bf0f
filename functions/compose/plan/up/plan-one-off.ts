import { containerBody } from '../../create/container-body.ts'
import { networkKeys } from '../../create/endpoints.ts'
import { configContents, uploadedFiles } from '../../create/file-objects.ts'
import { label } from '../../create/labels.ts'
import { configHash } from '../../hash/hash.ts'
import { networkOf, serviceOf } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import type { Service } from '../../service.ts'
import type { PortConfig } from '../../service-parts.ts'
import type { EngineBody, Step } from '../../step.ts'
import { imageOf } from '../../used-resources.ts'
import { addStep, type Plan } from '../plan-steps.ts'
import { joined } from './plan-creation.ts'
import { atLeast } from './refusals.ts'

/** The settings of a one-off container that replace those of its service. */
export interface OneOffDraft {
  service: string
  /** Name of the container. */
  name: string
  slug: string
  command?: readonly string[] | undefined
  /** Without `command`, the command of the service is dropped too, as docker compose does. */
  entrypoint?: readonly string[] | undefined
  environment?: Readonly<Record<string, string>> | undefined
  user?: string | undefined
  /** Ports to publish, as `[address:]port:port of the container[/protocol]`. */
  publish?: readonly string[]
  /** Publishes the ports of the service; without it none of them. */
  servicePorts?: boolean
  tty: boolean
}

/** Facts of the host. */
export interface OneOffFacts {
  apiVersion: string
  /** The ID of the image that was decided on. */
  imageId: string
  /** Service → the ID of its container, for services whose namespaces it joins. */
  parents: Readonly<Record<string, string>>
}

/**
 * Returns the steps that create a one-off container of a service, but do not start it. Like that of
 * `docker compose run`, it publishes only the ports that are asked for, is not restarted, and has
 * neither the names nor the addresses of the service in its networks.
 */
export function planOneOff(project: Project, draft: OneOffDraft, facts: OneOffFacts): Step[] {
  const { name, slug } = draft
  const service = oneOffService(serviceOf(project, draft.service), draft, facts.parents)
  const changed = { ...project, services: { ...project.services, [draft.service]: service } }
  const allNetworks = atLeast(facts.apiVersion, '1.44')
  const image = imageOf(project, draft.service)
  const body = containerBody(changed, {
    service: draft.service,
    number: 1,
    image,
    hash: configHash(service),
    inherited: {},
    contents: configContents(project, service),
    allNetworks,
  })
  const about = { reason: 'run', service: draft.service }
  const plan: Plan = { steps: [], warnings: [] }
  const call = { kind: 'container', name } as const
  const { imageId } = facts
  const create = addStep(plan, about, {
    ...call,
    action: 'create',
    image,
    imageId,
    platform: service.platform,
    body: { ...body, ...attached, ...ownLabels(body, slug), ...withoutNames(body) },
  })
  for (const key of allNetworks ? [] : networkKeys(service).slice(1)) {
    const network = networkOf(project, key).name
    addStep(
      plan,
      { ...about, after: [create] },
      { action: 'connect', kind: 'network', name: network, container: name, body: {} },
    )
  }
  const files = uploadedFiles(project, service)
  if (files.length > 0)
    addStep(plan, { ...about, after: [create] }, { ...call, action: 'upload', files })
  return plan.steps
}

function oneOffService(
  service: Service,
  { command, entrypoint, environment, user, tty, publish = [], servicePorts }: OneOffDraft,
  parents: Readonly<Record<string, string>>,
): Service {
  const own = joined(service, { ...parents })
  const ports = [...(servicePorts ? (own.ports ?? []) : []), ...publish.map(portOf)]
  const words = command ?? (entrypoint ? [] : undefined)
  return {
    ...own,
    ...(words ? { command: [...words] } : {}),
    ...(entrypoint ? { entrypoint: [...entrypoint] } : {}),
    ...(environment ? { environment: { ...own.environment, ...environment } } : {}),
    ...(user === undefined ? {} : { user }),
    tty,
    stdin_open: true,
    ports: ports.length > 0 ? ports : undefined,
    restart: undefined,
    container_name: undefined,
    mac_address: undefined,
    deploy: own.deploy && { ...own.deploy, restart_policy: undefined },
  }
}

function portOf(text: string): PortConfig {
  const [address = '', protocol = 'tcp'] = text.split('/')
  const parts = address.split(':')
  const target = Number(parts.pop())
  const published = parts.pop() ?? ''
  const [ip] = parts
  return {
    mode: 'ingress',
    target,
    published,
    protocol,
    ...(ip === undefined ? {} : { host_ip: ip }),
  }
}

/** Its input ends with that of the feed. */
const attached: EngineBody = { AttachStdin: true, StdinOnce: true }

const ownLabels = ({ Labels }: EngineBody, slug: string): EngineBody => ({
  Labels: { ...(Labels as object), [label.oneoff]: 'True', [label.slug]: slug },
})

/** Removes names and addresses from the networks: those of the service belong to its containers. */
function withoutNames({ NetworkingConfig }: EngineBody): EngineBody {
  const { EndpointsConfig } = (NetworkingConfig ?? {}) as { EndpointsConfig?: object }
  if (!EndpointsConfig) return {}
  const names = Object.keys(EndpointsConfig).map((name) => [name, {}])
  return { NetworkingConfig: { EndpointsConfig: Object.fromEntries(names) } }
}
