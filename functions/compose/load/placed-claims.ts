import type { Project } from '../project.ts'
import type { PortConfig } from '../service-parts.ts'
import { Problem } from '../yaml/problem.ts'
import type { Path } from '../yaml/tree.ts'
import type { LoadContext } from './load-file.ts'
import { placeOf, withLocation } from './with-location.ts'

/** Something that only one container of a host can have, and that a service asks for. */
export interface PlacedClaim {
  service: string
  /** The index of a published port in `ports`; null for the names of the service's containers. */
  port: number | null
  /**
   * Its place in the file, as a prefix of messages: `compose.yaml:7:5: services.web.ports[0]: `.
   */
  place: string
}

/** The maximum number of claims to return. Messages about further ones have no place. */
const claimsMax = 500
/** The entries of a longer list are not searched for. */
const searchedMax = 50

/** Returns the names and ports of the host that a project needs, with their places in its files. */
export function placedClaims(project: Project, context: LoadContext): PlacedClaim[] {
  const found: PlacedClaim[] = []
  const textOf = (path: Path, near?: string) =>
    withLocation(new Problem('semantic', '', { path, near }), context)
  for (const [service, { container_name: name, ports = [] }] of Object.entries(project.services)) {
    const own = ['services', service]
    const path = name === undefined ? own : [...own, 'container_name']
    found.push({ service, port: null, place: textOf(path) })
    for (const [port, config] of ports.entries()) {
      if (found.length >= claimsMax) return found
      if (!config.published) continue
      const list = [...own, 'ports']
      const at = [...list, port]
      const isLong = ports.length > searchedMax
      const place = isLong ? textOf(list) : textOf(at, textNear(at, config, context))
      found.push({ service, port, place })
    }
  }
  return found
}

/** Returns a text that the entry of a port has in a file: its index may differ from that there. */
function textNear(path: Path, port: PortConfig, context: LoadContext): string {
  const { host_ip: ip, published = '', target, protocol = 'tcp' } = port
  const address = ip === undefined ? '' : ip.includes(':') ? `[${ip}]:` : `${ip}:`
  const short = `${address}${published}:${target}`
  const texts = [short, `${short}/${protocol}`, published]
  return texts.find((near) => placeOf({ path, near }, context)?.depth === path.length) ?? short
}
