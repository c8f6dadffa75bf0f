import { isAddress } from '../load/short-port.ts'
import { type Fields, fieldsAt, objectsAt, present, textAt, unlessNone } from './fields.ts'
import type { ContainerInspection, Part } from './inspection.ts'

/** Returns the published ports of a container, and those that it exposes and its image does not. */
export function portsPart({ config, imageConfig, hostConfig }: ContainerInspection): Part {
  const mode = textAt(hostConfig, 'NetworkMode')
  const bindings = fieldsAt(hostConfig, 'PortBindings')
  const exposed = Object.keys(fieldsAt(config, 'ExposedPorts'))
  const bound = Object.keys(bindings)
  // Such a container has no ports of its own.
  if (mode === 'host' || mode.startsWith('container:')) {
    const left = `ports: not used in the network ${mode}: ${bound.join(', ')}`
    return { fields: {}, left: bound.length > 0 ? [left] : [] }
  }
  const usual = fieldsAt(imageConfig, 'ExposedPorts')
  const publishesAll = hostConfig.PublishAllPorts === true
  const rest = exposed.filter((port) => !Object.hasOwn(bindings, port))
  const ports = [
    ...bound.flatMap((port) => objectsAt(bindings, port).map((one) => published(port, one))),
    ...(publishesAll ? rest.map(short) : []),
  ]
  const only = rest.filter((port) => !publishesAll && !Object.hasOwn(usual, port))
  return {
    fields: present({ ports: unlessNone(ports), expose: unlessNone(only.map(short)) }),
    left: publishesAll ? ['ports: all exposed ports were published; each is listed now'] : [],
  }
}

/** Returns a port in the short form. Without a port of the host, the Engine picks one. */
function published(port: string, binding: Fields): string {
  const [address, outside] = [textAt(binding, 'HostIp'), textAt(binding, 'HostPort')]
  const inside = short(port)
  const picked = outside === '0' ? '' : outside
  if (address === '' || !isAddress(address)) return picked === '' ? inside : `${picked}:${inside}`
  return `${address.includes(':') ? `[${address}]` : address}:${picked}:${inside}`
}

/** TCP is the usual protocol. */
const short = (port: string) => port.replace(/\/tcp$/, '')
