import { semantic } from '../yaml/problem.ts'
import type { Path, TreeMap } from '../yaml/tree.ts'
import { mapOf } from '../yaml/tree.ts'

/**
 * Parses `[ip:][published:]target[/protocol]` into long form, with one entry per port of a range.
 * `published` stays a string: it is a range if a single port may be published on any port of it.
 *
 * @throws Problem at `path`
 */
export function parsePorts(spec: string, path: Path = []): TreeMap[] {
  const refuse = (detail: string): never => {
    throw semantic(path, detail)
  }
  const [address, protocol = 'tcp', more] = spec.split('/')
  if (more !== undefined || !/^(tcp|udp|sctp|)$/i.test(protocol)) {
    refuse(`invalid protocol "${spec.slice(spec.indexOf('/') + 1)}": it is tcp, udp or sctp`)
  }
  const { ip, published, target } = splitAddress(address ?? '', refuse)
  const targets = parseRange(target, 'container port', refuse)
  if (targets.start === 0) refuse('invalid container port: 0')
  const hosts = published === '' ? undefined : parseRange(published, 'host port', refuse)
  const count = targets.end - targets.start + 1
  const spread = hosts !== undefined && hosts.end - hosts.start + 1 === count
  if (hosts && !spread && count > 1) refuse(`the ranges in "${spec}" have different lengths`)
  return Array.from({ length: count }, (_, index) => {
    const port = mapOf<TreeMap[string]>([
      ['mode', 'ingress'],
      ['protocol', protocol.toLowerCase() || 'tcp'],
      ['target', targets.start + index],
    ])
    if (hosts) port.published = spread ? String(hosts.start + index) : published
    if (ip !== '') port.host_ip = ip
    return port
  })
}

function splitAddress(address: string, refuse: (detail: string) => never) {
  if (address === '') refuse('no port specified')
  const bracket = /^\[([^\]]*)\]:(.*)$/.exec(address)
  const [, inside = '', rest = address] = bracket ?? []
  const fields = rest.split(':')
  const target = fields.pop() ?? ''
  const published = fields.pop() ?? ''
  const ip = bracket ? inside : fields.join(':')
  if (bracket && fields.length > 0) refuse(`invalid port "${address}"`)
  if (ip !== '' && (!isAddress(ip) || (!bracket && ip.includes(':'))))
    refuse(`invalid IP address "${ip}"`)
  return { ip, published, target }
}

function parseRange(text: string, what: string, refuse: (detail: string) => never) {
  const parts = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text)
  if (!parts) return refuse(`invalid ${what}: ${text === '' ? '<empty>' : text}`)
  const start = Number(parts[1])
  const end = Number(parts[2] ?? start)
  if (start > 65535 || end > 65535) refuse(`invalid ${what}: ${text}`)
  if (end < start) refuse(`invalid ${what}: ${text} runs backwards`)
  return { start, end }
}

/**
 * Returns whether a text is an IPv4 address with four parts or an IPv6 address, whose last two
 * groups may be written as an IPv4 address.
 */
export function isAddress(text: string): boolean {
  if (isFourParts(text)) return true
  const last = text.lastIndexOf(':') + 1
  if (last === 0) return false
  const plain = isFourParts(text.slice(last)) ? `${text.slice(0, last)}0:0` : text
  const groups = plain.split('::')
  if (groups.length > 2) return false
  const parts = groups.flatMap((group) => (group === '' ? [] : group.split(':')))
  const short = groups.length === 2
  return (
    (short ? parts.length < 8 : parts.length === 8) &&
    parts.every((part) => /^[0-9a-fA-F]{1,4}$/.test(part))
  )
}

/** A leading zero is refused: some programs read such a part as octal. */
function isFourParts(text: string): boolean {
  const parts = text.split('.')
  return (
    parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && +part <= 255)
  )
}
