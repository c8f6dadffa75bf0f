import type { Account, ApiToken, Session } from './access/account.ts'
import type { ComposeInput, LoadedProject } from './compose/project.ts'
import type { Engine } from './engine/engine.ts'
import type { Deployment, StackRecord } from './stacks/stack.ts'

/**
 * Every interface to the outside. A handler names those it needs (`Needs<'stacks' | 'engines'>`) and gets no others;
 * only the composition roots build them. Stores throw a `Failure` 500 when they cannot answer within their deadline.
 */
export interface Ports {
  clock: Clock
  random: Random
  accounts: Accounts
  attempts: Attempts
  sessions: Sessions
  apiTokens: ApiTokens
  identities: Identities
  passwords: Passwords
  accessTokens: AccessTokens
  setup: Setup
  settings: Settings
  hosts: Hosts
  stacks: Stacks
  deployments: Deployments
  texts: Texts
  leases: Leases
  engines: Engines
  composer: Composer
  background: Background
  pages: Pages
  log: Log
}

/** The ports that a handler uses, by name. */
export type Needs<Name extends keyof Ports> = Pick<Ports, Name>

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after that many milliseconds, or at once when the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export interface Random {
  bytes(count: number): Uint8Array
  /** A UUIDv7: sorts by the time it was made. */
  id(): string
}

/** A record as it was read: `revision` is what a later `replace` must still find. */
export type Stored<T> = T & { readonly revision: number }

/** Records of one kind under unique ids. Every method is one conditional write or a read that sees all earlier writes. */
export interface Collection<T extends { id: string }> {
  find(id: string): Promise<Stored<T> | undefined>
  /** All of them in order of id. */
  list(): Promise<Stored<T>[]>
  /** False when the id, or a unique name of the kind, is taken; then nothing was written. */
  create(value: T): Promise<boolean>
  /** False when the record changed since it was read or is gone; then nothing was written. */
  replace(value: Stored<T>): Promise<boolean>
  /** False when there was none. */
  remove(id: string): Promise<boolean>
}

export interface Accounts extends Collection<Account> {
  /** By the normal form of the user name (see `normalName`). */
  findByUsername(normalName: string): Promise<Stored<Account> | undefined>
  /** True once any account exists. */
  any(): Promise<boolean>
}

/** Login attempts of an account, or of a name that belongs to none. Decided by core/access/lockout, swapped atomically. */
export interface Attempts {
  read(key: string): Promise<Versioned<AttemptState>>
  /** False when another swapped first. Gone by itself at `expiresAt`. */
  swap(key: string, version: number, next: AttemptState, expiresAt: number): Promise<boolean>
}

export interface Versioned<T> {
  value: T
  /** 0 for a thing that is not there yet. */
  version: number
}

export interface AttemptState {
  /** Verified failures since the last success or unlock. */
  failed: number
  /** When each attempt that is being verified was let in, in milliseconds. */
  pending: number[]
  lockedUntil: number | null
}

export interface Sessions {
  find(id: string): Promise<Session | undefined>
  listByAccount(accountId: string): Promise<Session[]>
  create(session: Session): Promise<void>
  /**
   * Replaces the token of a session in one conditional write. `reused`: the presented token is not the current one.
   * `gone`: there is no such session.
   */
  rotate(
    id: string,
    presentedHash: string,
    nextHash: string,
    usedAt: number,
  ): Promise<{ outcome: 'rotated'; session: Session } | { outcome: 'reused' | 'gone' }>
  remove(id: string): Promise<void>
  removeByAccount(accountId: string, except?: string): Promise<void>
}

export interface ApiTokens {
  find(id: string): Promise<ApiToken | undefined>
  /** By SHA-256, hex, of the token: the read of every request that carries one. */
  findByHash(hash: string): Promise<ApiToken | undefined>
  list(accountId?: string): Promise<ApiToken[]>
  create(token: ApiToken): Promise<void>
  /** Records the use, at most once a minute and without keeping the request waiting. */
  touch(id: string, usedAt: number): Promise<void>
  remove(id: string): Promise<boolean>
}

/** The reads of every request: who a credential stands for, as it is now. At most one second old, in every process. */
export interface Identities {
  bySession(sessionId: string): Promise<{ account: Account; session: Session } | undefined>
  byApiToken(hash: string): Promise<{ account: Account; apiToken: ApiToken } | undefined>
}

/** Slow hashes of passwords (argon2id), few at a time, in a bounded queue. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** With no hash it works as long as with one and answers false: unknown names take the same time. */
  verify(password: string, hash: string | undefined): Promise<boolean>
}

export interface AccessClaims {
  accountId: string
  sessionId: string
  /** The token's own id. */
  tokenId: string
  /** Milliseconds. */
  issuedAt: number
  expiresAt: number
}

/** Signed access tokens (JWT, EdDSA). A verified one is remembered until it expires. */
export interface AccessTokens {
  issue(claims: AccessClaims): Promise<string>
  /** Nothing for a token that is malformed, expired, of another kind or signed by another key. */
  verify(token: string): Promise<AccessClaims | undefined>
}

/** The one-time right to make the first admin. */
export interface Setup {
  /** True until the right was used. */
  open(): Promise<boolean>
  /** True when the secret is the one that was printed and no set-up has happened. */
  matches(secret: string): Promise<boolean>
  /** Ends the right, once and for all processes: false when somebody was faster. */
  consume(): Promise<boolean>
}

/** Values of the service's configuration that handlers need, the file and environment over the stored ones. */
export interface Settings {
  get(): Promise<SettingValues>
}

export interface SettingValues {
  'auth.lockout_max_attempts': number
  'auth.lockout_duration_minutes': number
  'auth.session_absolute_hours': number
  'auth.session_idle_minutes': number
  'auth.session_remember_days': number
}

/** A machine with an Engine. The local one always exists, under the id `local`. */
export interface Host {
  id: string
  name: string
  kind: 'local' | 'agent'
  tags: string[]
  /** Where stacks live on it: an absolute path on the host. */
  stacksDirectory: string
}

export interface Hosts {
  find(id: string): Promise<Host | undefined>
  list(): Promise<Host[]>
}

export type Stacks = Collection<StackRecord>

export interface Deployments {
  find(stack: string, id: string): Promise<Deployment | undefined>
  /** Newest first. */
  listByStack(stack: string, limit: number): Promise<Deployment[]>
  create(deployment: Deployment): Promise<void>
  /** Replaces the record whole: the writer holds the stack's lease. Does nothing when it was removed. */
  save(deployment: Deployment): Promise<void>
  /** Those with status `running`, of any process, alive or not. */
  listRunning(): Promise<Deployment[]>
  removeByStack(stack: string): Promise<void>
}

/** Texts under the digest of their content (SHA-256, hex), compressed and, when asked, encrypted with a key outside the store. */
export interface Texts {
  put(text: string, options?: { secret?: boolean }): Promise<string>
  /** Throws a `Failure` 500 for a digest that is not there. */
  get(digest: string): Promise<string>
}

/** A right that one holder has at a time. */
export interface Lease {
  name: string
  holder: string
  /** Grows with each new holder: a write of an older holder can be told. */
  fence: number
  expiresAt: number
}

export interface Leases {
  /** Nothing while another holds it. Taking one's own again prolongs it. */
  take(name: string, holder: string, milliseconds: number): Promise<Lease | undefined>
  find(name: string): Promise<Lease | undefined>
  /**
   * Whether somebody holds it, and how many had it up to now: who takes it and gets the next fence knows that nobody had
   * it in between.
   */
  look(name: string): Promise<{ held: boolean; fence: number }>
  /** Does nothing when another holds it by now. */
  release(lease: Lease): Promise<void>
}

export interface Engines {
  /** The Engine of a host. Throws a `Failure` 404 for an unknown host. */
  on(hostId: string): Promise<Engine>
}

/** Turns the texts of a stack into a project, away from the event loop and within 1.5 s. Throws a `Failure` 422. */
export interface Composer {
  load(input: ComposeInput): Promise<LoadedProject>
}

/** Work that goes on after the answer. It is waited for when the service shuts down. */
export interface Background {
  run(name: string, work: (signal: AbortSignal) => Promise<void>): void
  /** Names this process among all that share the store. */
  readonly processId: string
}

/** The files that the public description endpoints serve. */
export type PageName =
  | 'openapi.json'
  | 'openapi.yaml'
  | 'index.html'
  | 'init.js'
  | 'page.css'
  | 'swagger-ui.css'
  | 'swagger-ui-bundle.js'

/** A text as it is served. */
export interface Page {
  text: string
  contentType: string
  /** Quoted; changes with the text. */
  etag: string
}

export interface Pages {
  /** Nothing when this installation lacks the file. */
  find(name: PageName): Promise<Page | undefined>
}

export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}
