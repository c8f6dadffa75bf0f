import { type FanOut, listOverHosts } from '../hosts/fan-out.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Host } from '../records/host.ts'
import type { ImageLook } from '../records/image-look.ts'
import { allowedRegistries } from '../registries/allowed.ts'
import { getStack } from '../stacks/stack-record.ts'
import { judgeUpdate, type UpdateState, type UpdateStatus } from './judge-update.ts'
import { type ServiceImage, serviceImages } from './service-images.ts'
import { hostImages } from './used-tags.ts'

export type UpdatePorts = Needs<
  'stacks' | 'hosts' | 'engines' | 'clock' | 'imageLooks' | 'settings' | 'registries'
>

/** Which services to list. */
export interface UpdateFilter {
  /** A host, or `all`. */
  host?: string | undefined
  /** The stack, on whatever host it is. */
  stack?: string | undefined
  state?: UpdateState | undefined
}

/** A service, and whether there is a newer image for it. Times are milliseconds since the epoch. */
export interface ServiceUpdate {
  service: ServiceImage
  host: Host
  status: UpdateStatus
  checkedAt: number | null
  nextAt: number | null
}

/**
 * Returns the services of stacks with what registries have for them. It asks hosts, and no
 * registry.
 */
export async function listUpdates(
  filter: UpdateFilter,
  caller: Caller,
  ports: UpdatePorts,
): Promise<readonly ServiceUpdate[] | FanOut<ServiceUpdate>> {
  const [looks, allowed, { 'updates.check_hours': hours }] = await Promise.all([
    ports.imageLooks.list(),
    allowedRegistries(ports),
    ports.settings.get(),
  ])
  const byName = new Map(looks.map((look) => [look.id, look]))
  const stack = filter.stack === undefined ? undefined : await getStack(filter.stack, ports)
  const stacks = stack ? [stack] : await ports.stacks.list()
  return listOverHosts(stack?.hostId ?? filter.host, caller, ports, async (engine, host) => {
    const own = stacks.filter(({ hostId }) => hostId === host.id)
    if (own.length === 0) return []
    const found = serviceImages(own, await hostImages(engine))
    const updates = found.map((service) => {
      const look = service.tag && byName.get(service.name.name)
      return updateOf({ service, host, look, allowed, isOff: hours === 0 })
    })
    return updates.filter(({ status }) => (filter.state ?? status.state) === status.state)
  })
}

function updateOf(evidence: {
  service: ServiceImage
  host: Host
  look: ImageLook | undefined
  allowed: readonly string[]
  isOff: boolean
}): ServiceUpdate {
  const { service, host, look, allowed, isOff } = evidence
  const status = judgeUpdate(service, look, allowed)
  const isLookedAt = status.state !== 'not_checked'
  return {
    service,
    host,
    status,
    checkedAt: isLookedAt ? (look?.checkedAt ?? null) : null,
    nextAt: isLookedAt && !isOff ? (look?.nextAt ?? null) : null,
  }
}
