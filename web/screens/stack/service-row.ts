import type { components } from '../../data/api.types.ts'
import { portText } from '../containers/published-ports.ts'

export type ServiceStatus = components['schemas']['ServiceStatus']

/** Returns the name of a row in the address: its service, or its container if there are more. */
export const rowKeyOf = ({ service, number, name }: ServiceStatus): string =>
  number === null || number === 1 ? service : (name ?? service)

type Published = Pick<ServiceStatus, 'ports'>

/** A port or a name at which users reach a service. */
export interface Reachable {
  text: string
  /** Missing if a browser cannot open it. */
  href?: string
}

/** Returns the published ports, each once: IPv4 and IPv6 are published separately. */
export const portsOf = (row: Published): string[] => [...publishedPorts(row).keys()]

/** Returns the text of each published port with the port. */
const publishedPorts = ({ ports }: Published): Map<string, number> =>
  new Map(
    ports.flatMap((port): [string, number][] => {
      const text = portText(port)
      return text === undefined || port.public === null ? [] : [[text, port.public]]
    }),
  )

/**
 * Returns where users reach a service: the names in its links, then its published ports, those
 * that a link names with that link.
 */
export function reachableAt({ ports, links }: Pick<ServiceStatus, 'ports' | 'links'>): Reachable[] {
  const published = publishedPorts({ ports })
  const taken = new Set<string>()
  const atPorts = [...published].map(([text, port]): Reachable => {
    const href = text.endsWith('/udp') ? undefined : links.find((link) => portIn(link) === port)
    if (href === undefined) return { text }
    taken.add(href)
    return { text, href }
  })
  const named = links.filter((link) => !taken.has(link))
  return [...named.map((href) => ({ text: hostIn(href), href })), ...atPorts]
}

/**
 * Returns the port that a link names. A link to an address or a plain host name without a port
 * names that of its scheme: links lose it in their normal form.
 */
function portIn(link: string): number | undefined {
  if (!URL.canParse(link)) return undefined
  const { port, protocol, hostname } = new URL(link)
  if (port !== '') return Number(port)
  if (!/^(?:[\d.]+|\[.*\]|[^.]+)$/.test(hostname)) return undefined
  return protocol === 'https:' ? 443 : 80
}

const hostIn = (link: string): string => (URL.canParse(link) ? new URL(link).host : link)
