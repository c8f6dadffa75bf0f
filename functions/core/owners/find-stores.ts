import type {
  ListedContainer,
  PublishedPort,
  ServiceProcess,
  StoreAddress,
} from '../records/installation.ts'
import { type EngineFacts, isProcessOf } from './engine-facts.ts'

/** Returns the IDs of the containers that answer at the store addresses of processes. */
export async function findStores(
  facts: EngineFacts,
  processes: readonly ServiceProcess[],
): Promise<string[]> {
  const found: string[] = []
  for (const process of processes) {
    const { store, container } = process
    if (!store) continue
    const own = facts.containers.find(({ id }) => id === container)
    if (own) found.push(...(await storesOf(own, store, facts)))
    else if (container !== 'none' || !isProcessOf(facts, process)) continue
    else found.push(...(await answering(facts, store, store.isLocal)))
  }
  return found
}

/** Returns the containers that answer at an address which a container of the service dials. */
async function storesOf(
  own: ListedContainer,
  store: StoreAddress,
  facts: EngineFacts,
): Promise<string[]> {
  const others = facts.containers.filter(({ id, isHelper }) => id !== own.id && !isHelper)
  if (isLoopback(store.host) && own.networkMode !== 'host') {
    const root = own.networkMode.replace(/^container:/, '')
    const first = root === own.networkMode ? own.id : root
    const shares = ({ id, networkMode }: ListedContainer) =>
      id === first || networkMode === `container:${first}`
    return others.filter(shares).map(({ id }) => id)
  }
  const gateways = (await facts.inspect(own.id))?.gateways ?? []
  const isHost = own.networkMode === 'host' && store.isLocal
  const isPublished =
    isHost || store.host === 'host.docker.internal' || gateways.includes(store.host)
  const neighbours = others.filter(({ networks }) =>
    Object.keys(networks).some((name) => Object.hasOwn(own.networks, name)),
  )
  const named: string[] = []
  for (const one of neighbours) {
    const aliases = Object.entries((await facts.inspect(one.id))?.aliases ?? {})
    const names = aliases
      .filter(([name]) => Object.hasOwn(own.networks, name))
      .flatMap(([, all]) => all)
    const addresses = Object.values(one.networks).filter((address) => address !== '')
    const hasName = [one.name, ...names].some((name) => sameName(name, store.host))
    if (hasName || addresses.includes(store.host)) named.push(one.id)
  }
  return isPublished ? [...named, ...(await answering(facts, store, true, own.id))] : named
}

const sameName = (one: string, other: string) =>
  one.toLowerCase() === other.toLowerCase().replace(/\.$/, '')

const isLoopback = (host: string) => /^(?:localhost|127\.[\d.]+|::1|\[::1\])$/i.test(host)

/**
 * Returns the containers with this address, and those that publish its port on the machine.
 *
 * @param isMachine the host is this machine
 */
async function answering(
  { containers, inspect }: EngineFacts,
  { host, port }: StoreAddress,
  isMachine: boolean,
  except?: string,
): Promise<string[]> {
  const answers = (ports: readonly PublishedPort[] | undefined) =>
    isMachine && (ports ?? []).some((one) => one.port === port && isReached(one.ip, host))
  const found: string[] = []
  for (const one of containers) {
    if (one.isHelper || one.id === except) continue
    const isHere = answers(one.published) || Object.values(one.networks).includes(host)
    if (isHere || (hasStopped(one) && answers((await inspect(one.id))?.published)))
      found.push(one.id)
  }
  return found
}

/** Lists show the ports of running containers only. */
const hasStopped = ({ networks, published }: ListedContainer) =>
  published.length === 0 && Object.values(networks).every((address) => address === '')

const isReached = (ip: string, host: string) =>
  ['', '0.0.0.0', '::'].includes(ip) || ip === host || isLoopback(ip) === isLoopback(host)
