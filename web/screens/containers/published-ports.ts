import type { Container } from '../../data/containers.ts'

type Port = Container['ports'][number]

/** A port on the host, and where it is reached. */
export interface PublishedPort {
  /** `8080`, `8080→80` or `53/udp`. */
  text: string
  href: string | undefined
}

/**
 * Returns the ports on the host, each once: the Engine lists IPv4 and IPv6 apart.
 *
 * @param address the name or address of the host; null if it is unknown
 */
export function publishedPorts(
  ports: readonly Port[],
  address: string | null = null,
): PublishedPort[] {
  const found = new Map<string, string | undefined>()
  for (const port of ports) {
    const text = portText(port)
    if (text !== undefined) found.set(text, found.get(text) ?? hrefOf(port, address))
  }
  return [...found].map(([text, href]) => ({ text, href }))
}

/** Returns a port on the host as text: `8080`, `8080→80` or `53/udp`; undefined for another. */
export function portText({
  private: inside,
  public: outside,
  protocol,
}: Pick<Port, 'private' | 'public' | 'protocol'>): string | undefined {
  if (outside === null) return undefined
  const more = protocol === 'tcp' ? '' : `/${protocol}`
  return outside === inside ? `${outside}${more}` : `${outside}→${inside}${more}`
}

/**
 * Ports in containers at which other protocols than HTTP are spoken, as in the links of services:
 * FTP, SSH, mail, DNS, LDAP, SMB, databases, message brokers and caches.
 */
const otherProtocols = new Set([
  ...[20, 21, 22, 23, 25, 53, 110, 111, 139, 143, 389, 445, 465, 587, 636, 853, 873, 993, 995],
  ...[1433, 1521, 1883, 2049, 3306, 4222, 5432, 5671, 5672, 6379, 8883, 9042, 11_211, 27_017],
])
const everyAddress = ['', '0.0.0.0', '::']
const httpsPorts = [443, 8443]

/** Returns the URL of a TCP port, unless only the host itself reaches it. */
function hrefOf({ private: inside, public: outside, protocol, ip }: Port, address: string | null) {
  if (outside === null || protocol !== 'tcp' || otherProtocols.has(inside)) return undefined
  const at = everyAddress.includes(ip ?? '') ? address : ip
  if (at === null || /^(?:127\.|::1$|::ffff:127\.|fe80:)/i.test(ip ?? '')) return undefined
  const isHttps = httpsPorts.includes(inside) || (httpsPorts.includes(outside) && inside !== 80)
  const host = at.includes(':') && !at.startsWith('[') ? `[${at}]` : at
  const url = `${isHttps ? 'https' : 'http'}://${host}:${outside}`
  return URL.canParse(url) ? new URL(url).origin : undefined
}
