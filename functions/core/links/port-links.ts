import type { Port } from '../../compose/snapshot.ts'
import { siteUrl } from './link-url.ts'

const everyAddress = ['', '0.0.0.0', '::']
const httpsPorts = [443, 8443]

/**
 * Ports in containers at which other protocols than HTTP are spoken: FTP, SSH, mail, DNS, LDAP,
 * SMB, databases, message brokers and caches.
 */
const otherProtocols = new Set([
  ...[20, 21, 22, 23, 25, 53, 110, 111, 139, 143, 389, 445, 465, 587, 636, 853, 873, 993, 995],
  ...[1433, 1521, 1883, 2049, 3306, 4222, 5432, 5671, 5672, 6379, 8883, 9042, 11_211, 27_017],
])

/**
 * Returns the URLs of published TCP ports. Ports that only the host itself reaches have none.
 *
 * @param address the name or address of the host; null if it is unknown, then only ports that are
 *   published on one address have a URL
 */
export function portLinks(ports: readonly Port[], address: string | null): string[] {
  return ports.flatMap(({ private: inside, public: outside, protocol, ip }) => {
    if (outside === null || protocol !== 'tcp' || otherProtocols.has(inside)) return []
    const host = everyAddress.includes(ip ?? '') ? address : ip
    if (host === null || isUnreachable(ip ?? '')) return []
    const scheme = isHttps(inside, outside) ? 'https' : 'http'
    return siteUrl({ scheme, host, port: outside }) ?? []
  })
}

/** Loopback addresses, and those that mean nothing without a network interface. */
const isUnreachable = (ip: string): boolean => /^(?:127\.|::1$|::ffff:127\.|fe80:)/i.test(ip)

const isHttps = (inside: number, outside: number): boolean =>
  httpsPorts.includes(inside) || (httpsPorts.includes(outside) && inside !== 80)
