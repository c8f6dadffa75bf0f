import { must } from '../../compose/must.ts'
import { groupBy } from '../group-by.ts'
import { callHost } from '../hosts/call-host.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { ImageTag } from '../records/image-manifest.ts'
import type { StackRecord } from '../records/stack.ts'
import { type PolicyOf, readPolicies } from './policy-of.ts'
import { type HostImages, type ServiceImage, serviceImages } from './service-images.ts'

/** A tag that services of stacks use. */
export interface UsedTag {
  /** The name in its normal form. */
  name: string
  tag: ImageTag
  services: readonly ServiceImage[]
}

/** Returns the tags that the stacks of all hosts use, by name. */
export async function usedTags(
  ports: Needs<'stacks' | 'engines' | 'clock' | 'hosts' | 'updatePolicies'>,
): Promise<UsedTag[]> {
  const policyOf = await readPolicies(ports)
  const byHost = groupBy(await ports.stacks.list(), ({ hostId }) => hostId)
  const services = await Promise.all(
    [...byHost].map(([hostId, stacks]) => servicesOf(hostId, stacks, policyOf, ports)),
  )
  const byName = groupBy(services.flat(), ({ name }) => name.name)
  return [...byName.keys()].sort().flatMap((name) => {
    const users = must(byName.get(name), 'services of a tag')
    const [first] = users
    return first?.tag ? [{ name, tag: first.tag, services: users }] : []
  })
}

/** Returns what an Engine has. Both lists are kept while nothing changes on the host. */
export async function hostImages(engine: Engine): Promise<HostImages> {
  const [containers, images] = await Promise.all([
    engine.containers({ all: true }),
    engine.images(),
  ])
  return { containers, images }
}

async function servicesOf(
  hostId: string,
  stacks: readonly StackRecord[],
  policyOf: PolicyOf,
  ports: Needs<'engines' | 'clock' | 'hosts'>,
): Promise<ServiceImage[]> {
  const found = await callHost(hostId, ports, hostImages).catch(ignoreFailure('list images'))
  return serviceImages(stacks, found, policyOf)
}
