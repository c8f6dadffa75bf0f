import type { Permission } from '../access/permissions.ts'
import type { Piece } from '../feeds/broadcast.ts'
import { type Encoded, EncodedText } from '../feeds/message.ts'

type Detail = string | number | boolean | null

/** Something that happened on a host or in the service. */
export interface Happening {
  /** The same for one thing, whichever process tells of it and however often. */
  id: string
  /** RFC 3339. */
  time: string
  source: 'docker' | 'service'
  /** `container.start`, `stack.deploy.step`: what it is about, then what happened. */
  kind: string
  subject: { kind: string; id: string; name: string | null } | null
  /** User name of who did it, where that is known. */
  by: string | null
  details: Record<string, Detail>
  /** Hosts that it was about. */
  hosts: readonly string[]
  /** Who did it: he may know of it wherever it was. */
  userId: string | null
}

/** What nobody can tell any more: of a host, or of the service (null). Milliseconds since the epoch. */
export interface Gap {
  hostId: string | null
  from: number
  to: number
}

/** A message of the events, encoded once for all who get it, with what decides who does. */
export interface EventPiece extends Piece, Encoded {
  id: string
  /** Milliseconds since the epoch. */
  at: number
  needs: Permission
  hosts: readonly string[]
  userId: string | null
}

/** The message of something that happened. */
export function pieceOf(happening: Happening): EventPiece {
  const { id, time, source, hosts, kind, subject, by, details, userId } = happening
  const host_id = hosts.length === 1 ? hosts[0] : null
  const needs = neededFor(kind)
  const message = weighed({ id, time, source, host_id, kind, subject, by, details })
  return { id, at: Date.parse(time), needs, hosts, userId, ...message }
}

/** The message of a gap. */
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

/** What it takes to know of an event: the permission to read what it is about; of accounts, logins and all else the audit's. */
function neededFor(kind: string): Permission {
  return readable[kind.split('.')[0] ?? ''] ?? 'audit:read'
}
