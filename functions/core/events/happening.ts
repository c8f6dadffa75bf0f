import type { Permission } from '../access/permissions.ts'
import type { Piece } from '../feeds/broadcast.ts'
import { type Encoded, EncodedText } from '../feeds/message.ts'

type Detail = string | number | boolean | null

/** An event on a host or in the service. */
export interface Happening {
  /** Identical whenever the same event is reported again, by any process. */
  id: string
  /** RFC 3339. */
  time: string
  source: 'docker' | 'service'
  /** The subject's kind, then what happened: `container.start`, `stack.deploy.step`. */
  kind: string
  subject: { kind: string; id: string; name: string | null } | null
  /** The name of the user who caused it, if known. */
  by: string | null
  details: Record<string, Detail>
  /** The hosts that it concerns. */
  hosts: readonly string[]
  /** The ID of the user who caused it. Users may see their own events on any host. */
  userId: string | null
}

/**
 * A period in which events of a host, or of the service (null), were lost. Milliseconds since the
 * epoch.
 */
export interface Gap {
  hostId: string | null
  from: number
  to: number
}

/**
 * A message of the event feed, encoded once for all subscribers, and what decides who may see it.
 */
export interface EventPiece extends Piece, Encoded {
  id: string
  /** Milliseconds since the epoch. */
  at: number
  needs: Permission
  hosts: readonly string[]
  userId: string | null
}

/** Returns the message of an event. */
export function pieceOf(happening: Happening): EventPiece {
  const { id, time, source, hosts, kind, subject, by, details, userId } = happening
  const host_id = hosts.length === 1 ? hosts[0] : null
  const needs = neededFor(kind)
  const message = weighed({ id, time, source, host_id, kind, subject, by, details })
  return { id, at: Date.parse(time), needs, hosts, userId, ...message }
}

/** Returns the message of a gap. */
export function gapPiece({ hostId, from, to }: Gap): EventPiece {
  const [begin, end] = [from, Math.max(from, to)].map((at) => new Date(at).toISOString())
  const hosts = hostId === null ? [] : [hostId]
  const needs = hostId === null ? 'audit:read' : 'containers:read'
  const message = weighed({ gap: { host_id: hostId, from: begin, to: end } })
  return { id: '', at: from, needs, hosts, userId: null, ...message }
}

function weighed(message: object): Piece & Encoded {
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
  restore: 'backups:read',
  alert: 'alerts:read',
  'alert-delivery': 'alerts:read',
}

/**
 * Returns the permission to see an event: that to read its subject, or `audit:read` for accounts,
 * logins and everything else.
 */
function neededFor(kind: string): Permission {
  return readable[kind.split('.')[0] ?? ''] ?? 'audit:read'
}
