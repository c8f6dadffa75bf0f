import type { Caller } from '../core/records/account.ts'
import type { RequestAction } from '../core/records/audit-actions.ts'
import type {
  AuditOutcome,
  AuditSubject,
  AuditValue,
  NewAuditRow,
} from '../core/records/audit-row.ts'
import type { HttpEvent } from './event.ts'

/** The user, where no credential identifies one. A function is called when the row is written. */
export type KnownUser = { id: string; username: string } | undefined

/** Facts for the audit row that only the endpoint knows. */
export interface AuditNote {
  subject?: AuditSubject
  user?: KnownUser | (() => Promise<KnownUser>)
  /** The attempt was refused with this status, whatever status the response has. */
  refused?: number
  /**
   * The response has secrets that only some permissions allow to read, all of them in the file or
   * directory `path` if that is given.
   */
  secretRead?: { path?: string }
  /** Nothing had to change, so the attempt does not count as a change. */
  unchanged?: boolean
}

/** A request from which an audit row is made. */
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

/**
 * Returns the row of an attempt that begins or ended this way. `user` is the one that the note
 * resolved to.
 */
export function auditRow(
  { id, at, event, caller, body, query, hosts, note }: Attempt,
  { outcome, status, user }: { outcome: AuditOutcome; status: number | null; user?: KnownUser },
): NewAuditRow {
  const { requestId, http } = event.requestContext
  const who = caller?.account ?? user
  const subject = note.subject ?? namedSubject(event)
  return {
    id,
    at,
    action: actionOf(event.routeKey),
    outcome,
    status,
    actor: who ? 'user' : 'nobody',
    userId: who?.id ?? null,
    username: who?.username ?? null,
    credential: caller ? credentialOf(caller) : null,
    ip: http.sourceIp,
    userAgent: http.userAgent.slice(0, 256),
    requestId,
    subject: subject && {
      kind: subject.kind,
      id: subject.id.slice(0, 128),
      ...(subject.name !== undefined && { name: subject.name.slice(0, 128) }),
    },
    hosts: subject?.kind === 'hosts' ? [...hosts, subject.id] : [...hosts],
    fields: isRecord(body) ? Object.keys(body).slice(0, 50) : [],
    // An unauthenticated caller may send anything, such as a value meant for another field.
    values: caller ? { ...shown(query), ...shown(body), ...pathOf(note) } : {},
    count: 1,
  }
}

/**
 * Returns the action of a line of the manifest: the words of its path and, unless the path ends in
 * the action, a verb for its method. `POST /stacks/{name}/deploy` is `stacks.deploy`,
 * `PUT /users/{id}` is `users.update`, a feed is `ws.exec`. A line whose action is not among
 * `requestActions` does not compile in the manifest.
 */
export function actionOf(routeKey: string): RequestAction {
  const [method = '', path = ''] = routeKey.split(/\s+/)
  const words = path.split('/').filter((word) => word !== '' && !word.startsWith('{'))
  const isNamed = (method === 'POST' && words.length > 1) || words[0] === 'ws'
  const all = [...words, ...(isNamed ? [] : [verbs[method as Method]])]
  return all.join('.') as RequestAction
}

const verbs = {
  GET: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
} as const
type Method = keyof typeof verbs

/** The type of what `actionOf` returns for a line. */
export type ActionOf<Line extends string> = Line extends `${infer M extends Method} ${infer Path}`
  ? ActionOfWords<M, WordsOf<Path>>
  : never

type ActionOfWords<M extends Method, Words extends string> = Words extends `ws.${string}`
  ? Words
  : M extends 'POST'
    ? Words extends `${string}.${string}`
      ? Words
      : `${Words}.${(typeof verbs)[M]}`
    : `${Words}.${(typeof verbs)[M]}`

/** The words of a path, with dots between them and without placeholders. */
type WordsOf<Path extends string> = Path extends ` ${infer Rest}`
  ? WordsOf<Rest>
  : Path extends `${infer First}/{${string}}${infer Rest}`
    ? WordsOf<`${First}${Rest}`>
    : Path extends `/${infer Rest}`
      ? Dotted<Rest>
      : never

type Dotted<Words extends string> = Words extends `${infer Word}/${infer Rest}`
  ? `${Word}.${Dotted<Rest>}`
  : Words

const pathOf = ({ secretRead }: AuditNote): Record<string, AuditValue> =>
  secretRead?.path === undefined ? {} : { path: secretRead.path.slice(0, 256) }

/** Returns the first resource that the path names: the subject of `/users/{id}/mfa` is a user. */
function namedSubject({ routeKey, pathParameters = {} }: HttpEvent): NewAuditRow['subject'] {
  const [, kind = '', name = ''] = /([^/\s{}]+)\/\{(\w+)\}/.exec(routeKey) ?? []
  const id = pathParameters[name]
  return id === undefined ? null : { kind, id }
}

/**
 * Returns the resource that a request is about: the one that its path names, with the name that the
 * response gives it, or the one that the response describes as created.
 */
export function subjectOf(event: HttpEvent, value: unknown): AuditSubject | null {
  const named = namedSubject(event)
  const name = nameIn(value)
  if (named) return isRecord(value) && value.id === named.id ? { ...named, name } : named
  const [method = '', path = ''] = event.routeKey.split(/\s+/)
  const kind = path.split('/').findLast((word) => word !== '')
  if (method !== 'POST' || path.includes('{') || !kind || !isRecord(value)) return null
  const id = value.id ?? name
  return typeof id === 'string' ? { kind, id, name } : null
}

function nameIn(value: unknown): string | undefined {
  const name = isRecord(value) ? (value.name ?? value.username) : undefined
  return typeof name === 'string' ? name : undefined
}

function credentialOf({ credential }: Caller): NewAuditRow['credential'] {
  return credential.kind === 'session'
    ? { kind: 'session', id: credential.sessionId }
    : { kind: 'api_token', id: credential.tokenId }
}

/** Fields whose text values are recorded: they cannot hold secrets, and they show what was done. */
const shownFields = new Set([
  ...['role', 'scope_tags', 'disabled', 'enabled', 'permissions', 'expires_in_days', 'expires_at'],
  ...[
    'host',
    'environment',
    'revision',
    'deployment_id',
    'services',
    'wait',
    'pull',
    'build',
    'volumes',
  ],
  ...[
    'image',
    'reference',
    'accept',
    'force',
    'stacks',
    'force_recreate',
    'remove_orphans',
    'on_drift',
    'accept_references',
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
  if (Array.isArray(value)) return value.length <= 100 && value.every((one) => fits(one))
  if (typeof value === 'string') return value.length <= 256
  return isPlain(value)
}

const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
