import type { Attribute, AttributeClass } from './attributes.ts'

/** A hostile value of an attribute, with its name in the report. */
export interface HostileValue {
  name: string
  /** Returns the value, at most `room` characters of JSON. */
  make(attribute: Attribute, room: number): unknown
}

const number = (value: number): HostileValue => ({ name: String(value), make: () => value })
const text = (value: string): HostileValue => ({ name: value, make: () => value })
const entriesMax = 100_000

/** The hostile values of each class of attribute. */
export const hostileValues: Readonly<Record<AttributeClass, readonly HostileValue[]>> = {
  number: [number(1e9), number(-1), number(0), number(2 ** 53)],
  text: [text('1-65535:1-65535'), text('1000000000h'), text('service:b'), text('${A}${A}${A}${A}')],
  list: [
    { name: '10^5 entries', make: ({ path, entry }, room) => entries(entry, path, room) },
    { name: 'a range of ports', make: () => ['1-65535'] },
    { name: 'another service', make: () => ['b'] },
  ],
  mapping: [{ name: '10^5 keys', make: ({ path, entry }, room) => keys(entry, path, room) }],
}

/** Returns as many entries as fit, all different if the attribute allows it. */
function entries(entry: unknown, path: Attribute['path'], room: number): unknown[] {
  const make = (index: number) => distinct(entry, path, index)
  return Array.from({ length: fitting(make(entriesMax), room) }, (_, index) => make(index))
}

function keys(entry: unknown, path: Attribute['path'], room: number): Record<string, unknown> {
  const count = fitting({ k99999: distinct(entry, path, entriesMax) }, room)
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`k${index}`, distinct(entry, path, index)]),
  )
}

const fitting = (one: unknown, room: number) =>
  Math.max(1, Math.min(entriesMax, Math.floor(room / (JSON.stringify(one).length + 2))))

function distinct(entry: unknown, path: Attribute['path'], index: number): unknown {
  const name = path.findLast((part) => typeof part === 'string')
  if (name === 'services' && path.length === 1) return { image: 'x' }
  if (typeof entry === 'number') return 1 + (index % 60_000)
  if (typeof entry === 'string') return spelled(String(name), index)
  if (typeof entry !== 'object' || entry === null) return entry
  const parts = Object.entries(entry).map(([key, value]) => [
    key,
    typeof value === 'string' && key !== 'type' ? spelled(key, index) : value,
  ])
  return Object.fromEntries(parts)
}

/** Returns a text in the syntax of the attribute. */
function spelled(name: string, index: number): string {
  if (['volumes', 'tmpfs', 'target', 'devices', 'path'].includes(name)) return `/m${index}`
  if (['links', 'depends_on', 'volumes_from'].includes(name)) return 'b'
  if (['environment', 'labels', 'args', 'annotations', 'sysctls'].includes(name))
    return `k${index}=1`
  if (name === 'extra_hosts') return `h${index}=10.0.0.1`
  return `x${index}`
}
