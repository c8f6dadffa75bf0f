import type { Caller } from '../core/access/account.ts'
import type { AuditOutcome, AuditRow, AuditValue } from '../core/audit/row.ts'
import type { HttpEvent } from './event.ts'

/** Who it was, where no credential says it: found out after the answer when it is a function. */
export type KnownUser = { id: string; username: string } | undefined

/** What an endpoint adds to its row where the path does not say it. */
export interface AuditNote {
  subject?: { kind: string; id: string }
  user?: KnownUser | (() => Promise<KnownUser>)
  /** It was refused with that status, whatever the answer looks like. */
  refused?: number
  /** There was nothing to change: it is no change. */
  unchanged?: boolean
}

/** What a row is made of. */
export interface Attempt {
  id: string
  at: number
  event: HttpEvent
  caller: Caller | undefined
  body: unknown
  query: unknown
  hosts: ReadonlySet<string>
  note: AuditNote
}

/** The row of an attempt that ended, or begins, in this way. `user` is the one that the note led to. */
export function auditRow(
  { id, at, event, caller, body, query, hosts, note }: Attempt,
  { outcome, status, user }: { outcome: AuditOutcome; status: number | null; user?: KnownUser },
): AuditRow {
  const { requestId, http } = event.requestContext
  const who = caller?.account ?? user
  const subject = note.subject ?? subjectOf(event)
  return {
    ...{ id, at, action: actionOf(event.routeKey), outcome, status },
    actor: who ? 'user' : 'nobody',
    userId: who?.id ?? null,
    username: who?.username ?? null,
    credential: caller ? credentialOf(caller) : null,
    ip: http.sourceIp,
    userAgent: http.userAgent.slice(0, 256),
    requestId,
    subject: subject && { kind: subject.kind, id: subject.id.slice(0, 128) },
    hosts: subject?.kind === 'hosts' ? [...hosts, subject.id] : [...hosts],
    fields: isRecord(body) ? Object.keys(body).slice(0, 50) : [],
    // What somebody sends who is not known could be anything, also what he took for another field.
    values: caller ? { ...shown(query), ...shown(body) } : {},
    count: 1,
  }
}

/**
 * The action of a line of the manifest: the words of its path and, where the path does not end in one, what the method
 * does. `POST /stacks/{name}/deploy` is `stacks.deploy`, `PUT /users/{id}` is `users.update`, a feed `ws.exec`.
 */
export function actionOf(routeKey: string): string {
  const [method = '', path = ''] = routeKey.split(/\s+/)
  const words = path.split('/').filter((word) => word !== '' && !word.startsWith('{'))
  const isNamed = (method === 'POST' && words.length > 1) || words[0] === 'ws'
  return [...words, ...(isNamed ? [] : [verbs[method] ?? 'call'])].join('.')
}

const verbs: Record<string, string> = {
  GET: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}

/** The thing that a path names first: `/users/{id}/mfa` is about a user. */
function subjectOf({ routeKey, pathParameters = {} }: HttpEvent): AuditRow['subject'] {
  const [, kind = '', name = ''] = /([^/\s{}]+)\/\{(\w+)\}/.exec(routeKey) ?? []
  const id = pathParameters[name]
  return id === undefined ? null : { kind, id }
}

/** What was made, by its answer: the `id` or `name` of it. */
export function madeSubject(routeKey: string, value: unknown): AuditRow['subject'] {
  const [method = '', path = ''] = routeKey.split(/\s+/)
  const kind = path.split('/').findLast((word) => word !== '')
  if (method !== 'POST' || path.includes('{') || !kind || !isRecord(value)) return null
  const id = value.id ?? value.name
  return typeof id === 'string' ? { kind, id } : null
}

function credentialOf({ credential }: Caller): AuditRow['credential'] {
  return credential.kind === 'session'
    ? { kind: 'session', id: credential.sessionId }
    : { kind: 'api_token', id: credential.tokenId }
}

/** Fields whose texts are kept: what they can hold is no secret, and says what was done. */
const shownFields = new Set([
  ...['role', 'scope_tags', 'disabled', 'enabled', 'permissions', 'expires_in_days', 'expires_at'],
  ...['host', 'environment', 'revision', 'deployment_id', 'services', 'wait', 'pull', 'volumes'],
  ...[
    'image',
    'force',
    'force_recreate',
    'remove_orphans',
    'on_drift',
    'signal',
    'timeout',
    'tags',
  ],
])

function shown(given: unknown): Record<string, AuditValue> {
  if (!isRecord(given)) return {}
  const kept = Object.entries(given).filter(
    ([name, value]) => isPlain(value) || (shownFields.has(name) && fits(value)),
  )
  return Object.fromEntries(kept) as Record<string, AuditValue>
}

function fits(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= 32 && value.every((one) => fits(one))
  if (typeof value === 'string') return value.length <= 128
  return isPlain(value)
}

const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
