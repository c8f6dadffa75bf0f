import type { HostNames } from '../hosts/host-names.ts'
import type { EncodedEvent, Gap, ServiceEvent } from '../ports/service-events.ts'
import type { Permission } from '../records/permissions.ts'
import type { BroadcastItem } from '../streams/broadcast.ts'
import { type Encoded, EncodedText } from '../streams/message.ts'

/** Returns the message of an event. */
export function encodeEvent(event: ServiceEvent, nameOf: HostNames): EncodedEvent {
  const { id, time, source, hosts, kind, subject, by, details, userId, isFor } = event
  const host_id = (hosts.length === 1 && hosts[0]) || null
  const host_name = host_id && nameOf(host_id)
  const needs = permissionFor(kind)
  const shown = { id, time, source, host_id, host_name, kind, subject, by, details }
  const withoutName =
    userId !== null && host_name !== null ? encoded({ ...shown, host_name: null }) : undefined
  return { id, at: Date.parse(time), needs, hosts, userId, isFor, withoutName, ...encoded(shown) }
}

/** Returns the message of a gap. */
export function encodeGap({ hostId, from, to }: Gap, nameOf: HostNames): EncodedEvent {
  const [begin, end] = [from, Math.max(from, to)].map((at) => new Date(at).toISOString())
  const hosts = hostId === null ? [] : [hostId]
  // Callers see events of the service by many permissions; this is the one for the feed itself.
  const needs = hostId === null ? 'hosts:read' : 'containers:read'
  const host = { host_id: hostId, host_name: hostId && nameOf(hostId) }
  const message = encoded({ gap: { ...host, from: begin, to: end } })
  return { id: '', at: from, needs, hosts, userId: null, ...message }
}

/**
 * Returns the message that follows past events.
 *
 * @param at until when they were read, in milliseconds since the epoch
 */
export const encodeCaughtUp = (at: number): BroadcastItem & Encoded =>
  encoded({ caught_up: new Date(at).toISOString() })

/**
 * Returns the message that says that a feed is alive.
 *
 * @param at when it is sent, in milliseconds since the epoch
 */
export function encodeHeartbeat(at: number): EncodedEvent {
  const message = encoded({ heartbeat: new Date(at).toISOString() })
  return { id: '', at, needs: 'hosts:read', hosts: [], userId: null, isHeartbeat: true, ...message }
}

function encoded(message: object): BroadcastItem & Encoded {
  const { bytes } = new EncodedText(JSON.stringify(message))
  return { bytes, size: bytes.length }
}

const readable: Record<string, Permission> = {
  container: 'containers:read',
  image: 'images:read',
  network: 'networks:read',
  volume: 'volumes:read',
  stack: 'stacks:read',
  host: 'hosts:read',
  backup: 'backups:read',
  'backup-job': 'backups:read',
  restore: 'backups:read',
  alert: 'alerts:read',
  'alert-delivery': 'alerts:read',
}

/**
 * Returns the permission to see an event: that to read its subject, or `audit:read` for accounts,
 * logins and everything else.
 */
export function permissionFor(kind: string): Permission {
  return readable[kind.split('.')[0] ?? ''] ?? 'audit:read'
}
