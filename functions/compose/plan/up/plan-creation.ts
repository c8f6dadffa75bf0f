import { type ContainerDraft, compact, containerBody } from '../../create/container-body.ts'
import { endpoint, networkKeys } from '../../create/endpoints.ts'
import { configContents } from '../../create/file-objects.ts'
import type { Inherited } from '../../create/mounts.ts'
import { preimage, sha256 } from '../../hash/hash.ts'
import { networkOf, ownEntry, serviceOf, volumeOf } from '../../lookup.ts'
import type { Service } from '../../service.ts'
import type { ObservedContainer, Resolved } from '../../snapshot.ts'
import { anonymousVolumes, imageOf, volumeKeys } from '../../used-resources.ts'
import { parentsOf } from '../compare/decide.ts'
import { placeholders, withParentIds } from '../compare/parents.ts'
import { hashedService } from '../compare/pinned.ts'
import { imageChange } from '../fetch/replaced-image.ts'
import { parentServices } from '../order.ts'
import { addStep } from '../plan-steps.ts'
import { freeingSteps, knownImage, type Planning, type PlanOptions } from './planning-state.ts'
import { atLeast } from './refusals.ts'

/** A container that the plan creates. */
export interface Creation {
  service: string
  number: number
  reason: string
  /** Its name at creation. */
  name: string
  /** The container that it replaces. */
  replaced?: ObservedContainer
}

/** Adds the steps that create a container and connect it to its networks. */
export function planCreate(planning: Planning, creation: Creation): void {
  const { plan, project, options } = planning
  const { service: name, number, reason, replaced, name: created } = creation
  const service = serviceOf(project, name)
  const allNetworks = atLeast(options.apiVersion, '1.44')
  const { parents, hashed, ids } = parentParts(planning, name)
  const draft: ContainerDraft = {
    service: name,
    number,
    image: imageOf(project, name),
    hash: sha256(hashed),
    contents: configContents(project, service),
    replaces: replaced?.name,
    inherited: inherited(planning, creation),
    allNetworks,
  }
  const filled = volumesToFill(planning, name)
  const seeds = filled.map((volume) => planning.seeds.get(volume))
  const changed = imageChange(replaced?.image, draft.image)
  const step = addStep(
    plan,
    {
      reason,
      service: name,
      after: [...prerequisites(planning, name, Object.values(parents)), ...seeds],
    },
    {
      action: replaced ? 'recreate' : 'create',
      kind: 'container',
      name: created,
      image: draft.image,
      ...(changed && { imageChange: changed }),
      imageId: knownImage(planning, draft.image),
      platform: service.platform,
      body: containerBody(
        { ...project, services: { ...project.services, [name]: joined(service, ids) } },
        draft,
      ),
      ...(Object.keys(parents).length > 0 ? { parents, hashed } : {}),
    },
  )
  for (const volume of filled) {
    if (!planning.seeds.has(volume)) planning.seeds.set(volume, step)
  }
  const connected = allNetworks ? [] : connects(planning, creation, created, step)
  planning.created.set(created, [step, ...connected])
}

/** Returns the step that writes the project's files if a service's containers use any of them. */
export function filesStep({ files, project }: Planning, name: string): number | undefined {
  const service = serviceOf(project, name)
  const inside = (path: string | undefined) =>
    path === project.working_dir || path?.startsWith(`${project.working_dir}/`)
  const sources = [
    ...(service.volumes ?? []).filter(({ type }) => type === 'bind').map(({ source }) => source),
    ...(service.secrets ?? []).map(({ source }) => ownEntry(project.secrets, source)?.file),
    ...(service.configs ?? []).map(({ source }) => ownEntry(project.configs, source)?.file),
  ]
  return sources.some(inside) ? files : undefined
}

function prerequisites(planning: Planning, name: string, parents: string[]) {
  const service = serviceOf(planning.project, name)
  return [
    filesStep(planning, name),
    planning.fetches.get(imageOf(planning.project, name)),
    ...Object.keys(service.networks ?? {}).map((key) => planning.networks.get(key)),
    ...volumeKeys(service).map((key) => planning.volumes.get(key)),
    ...freeingSteps(planning, name),
    ...parents.map((parent) => planning.created.get(parent)?.[0]),
  ]
}

/**
 * Returns the named volumes that the Engine may fill with files of the image when it creates a
 * container of the service: it does so while a volume is empty. Two containers that are created at
 * once would disturb each other, so all others wait for the first one. A volume that a container
 * already has was filled with it.
 */
function volumesToFill({ project, snapshot }: Planning, name: string): string[] {
  const isMounted = (volume: string) =>
    snapshot.containers.some(({ mounts }) => mounts.some((one) => one.name === volume))
  return (serviceOf(project, name).volumes ?? []).flatMap(({ type, source, volume }) => {
    if (type !== 'volume' || !source || volume?.nocopy) return []
    const real = volumeOf(project, source).name
    return isMounted(real) ? [] : [real]
  })
}

/**
 * Resolves the containers that a service joins: the IDs of those that exist, and the names of those
 * that the plan creates.
 */
function parentParts({ project, joinable }: Planning, name: string) {
  const service = serviceOf(project, name)
  const ids: Record<string, string> = {}
  const parents: Record<string, string> = {}
  for (const [parent, container] of Object.entries(parentsOf(project, name, joinable))) {
    if ('id' in container) ids[parent] = container.id
    else parents[parent] = container.pending
  }
  const waiting = placeholders(
    parentServices(service).filter((parent) => Object.hasOwn(parents, parent)),
  )
  return {
    parents,
    ids,
    hashed: preimage(withParentIds(hashedService(project, name), { ...ids, ...waiting })),
  }
}

/** Like `withParentIds`, but keeps the access mode of `volumes_from`, which is not hashed. */
export function joined(service: Service, ids: Record<string, string>): Service {
  const { volumes_from } = service
  const result = withParentIds(service, ids)
  if (!volumes_from) return result
  return {
    ...result,
    volumes_from: volumes_from.map((source) => {
      const [name = '', ...mode] = source.split(':')
      return name === 'container' ? source : [ownEntry(ids, name) ?? name, ...mode].join(':')
    }),
  }
}

function connects(planning: Planning, creation: Creation, created: string, step: number): number[] {
  const { plan, project } = planning
  const keys = networkKeys(serviceOf(project, creation.service))
  return keys.slice(1).map((key) =>
    addStep(
      plan,
      { reason: creation.reason, service: creation.service, after: [step] },
      {
        action: 'connect',
        kind: 'network',
        name: networkOf(project, key).name,
        container: created,
        body: compact(endpoint(project, key, creation)),
      },
    ),
  )
}

/**
 * Returns the anonymous volumes to take over from the predecessor: the replaced container, or one
 * that a stop removed. Volumes from `volumes_from` are left out because the new container gets them
 * from there again. Volumes that neither the file nor the image declares any more are left out too.
 */
function inherited(planning: Planning, creation: Creation): Inherited {
  const { project, snapshot, resolved, options } = planning
  const own = `${creation.service}/${creation.number}:`
  const sources = (serviceOf(project, creation.service).volumes_from ?? []).map(
    (source) => source.split(':')[0],
  )
  const foreign = new Set<string>()
  for (const container of snapshot.containers) {
    if (creation.replaced && !sources.includes(container.service)) continue
    for (const { name } of container.mounts) foreign.add(name)
  }
  for (const [key, name] of Object.entries(options.keptVolumes)) {
    if (sources.includes(key.split('/')[0])) foreign.add(name)
  }
  const found = creation.replaced
    ? anonymousVolumes(creation.replaced.mounts)
    : keptVolumeOf(options.keptVolumes, own, resolved)
  return Object.fromEntries(
    Object.entries(found).filter(
      ([path, name]) => !foreign.has(name) && isAskedFor(planning, creation.service, path),
    ),
  )
}

/**
 * Returns whether the file or the image declares a volume at a path. An unknown image counts as
 * declaring it.
 */
function isAskedFor({ project, resolved }: Planning, service: string, path: string): boolean {
  const declared = ownEntry(resolved.images, imageOf(project, service))?.volumes
  const mounts = serviceOf(project, service).volumes ?? []
  return !declared || declared.includes(path) || mounts.some(({ target }) => target === path)
}

function keptVolumeOf(
  kept: PlanOptions['keptVolumes'],
  prefix: string,
  resolved: Resolved,
): Inherited {
  return Object.fromEntries(
    Object.entries(kept)
      .filter(([key, name]) => key.startsWith(prefix) && ownEntry(resolved.volumes, name))
      .map(([key, name]) => [key.slice(prefix.length), name]),
  )
}
