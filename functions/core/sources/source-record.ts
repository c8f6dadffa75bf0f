import { bindAccount } from '../acts-as/bind-account.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { changeRecord } from '../ports/change-record.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import type { Source } from '../records/source.ts'
import type {
  AgeKey,
  SourceAccount,
  SourceAddress,
  SourceKeyPair,
} from '../records/source-address.ts'
import { plannedLook } from './decide-look.ts'

/** The most sources that can exist. */
export const sourcesMax = 500

export type SourceChangePorts = Needs<'clock' | 'sources' | 'stacks'>

/**
 * Returns the source with this name.
 *
 * @throws 404 if it does not exist
 */
export async function getSource(
  name: string,
  { sources }: Needs<'sources'>,
): Promise<Stored<Source>> {
  const source = await sources.find(name)
  if (!source) throw notFound(`source ${name}: there is no such source`)
  return source
}

/** What a user says of a new source. */
export interface NewSource extends SourceAddress {
  name: string
  lookEvery: number | null
  key: SourceKeyPair | undefined
  age: AgeKey
  tokenRights: Source['tokenRights']
}

/**
 * Makes a source. Its looks act as the account, which the caller has checked may have it read.
 *
 * @throws 409 if the name is taken or there are too many
 */
export async function createSource(
  { name, lookEvery, ...address }: NewSource,
  account: Account,
  ports: SourceChangePorts,
): Promise<Source> {
  const { clock, sources } = ports
  if ((await sources.list()).length >= sourcesMax) {
    throw conflict(`the limit of ${sourcesMax} sources is reached`, { reason: 'limit' })
  }
  const now = clock.now()
  const nextAt = plannedLook(lookEvery, now)
  const source: Source = {
    id: name,
    ...address,
    lookEvery,
    actsAs: await bindAccount(account, [], ports),
    look: { askedAt: null, nextAt, revision: null, failures: 0, problem: null },
    createdAt: now,
    updatedAt: now,
  }
  if (await sources.create(source)) return source
  throw conflict(`source ${name}: it exists already`, { reason: 'exists' })
}

/** @throws 409 if a stack follows the source */
export async function refuseFollowed(
  { id, createdAt }: Pick<Source, 'createdAt' | 'id'>,
  { stacks }: Needs<'stacks'>,
): Promise<void> {
  const follows = (await stacks.list()).find(
    ({ source }) => source?.source === id && source.sourceCreatedAt === createdAt,
  )
  if (!follows) return
  throw conflict(
    `source ${id}: stack ${follows.id} follows it: first unbind it with \`cli stacks source unset ${follows.id}\``,
    { reason: 'in-use' },
  )
}

/** What a user changes of a source; undefined stays as it is. */
export interface SourceChange {
  ref?: string | undefined
  lookEvery?: number | null | undefined
  username?: string | null | undefined
  password?: string | undefined
  /** Null: those of the system. */
  certificateAuthority?: string | null | undefined
  key?: SourceKeyPair | undefined
  age?: AgeKey | undefined
  /** Null: the next look shows it. */
  hostKey?: string | null | undefined
}

/**
 * Returns a source with a change. It is looked at soon, as another reference or account can have
 * another result.
 *
 * @throws 400 if it would have a user name without a password, or its password would be sent to a
 *   server that other certificates prove
 */
export function changedSource(source: Source, change: SourceChange, now: number): Source {
  const { ref = source.ref, lookEvery = source.lookEvery } = change
  const isOther = ref !== source.ref
  const hostKey = changed(source.hostKey, change.hostKey)
  const certificateAuthority = changed(source.certificateAuthority, change.certificateAuthority)
  const account = changedAccount(source.account, change)
  // Otherwise an account could have the password sent to a server of its own.
  if (certificateAuthority !== source.certificateAuthority && account && !change.password) {
    throw invalid('body.password: required with another certificate_authority')
  }
  return {
    ...source,
    ref,
    lookEvery,
    account,
    key: change.key ?? source.key,
    age: change.age ?? source.age,
    certificateAuthority,
    hostKey,
    look: {
      ...source.look,
      failures: 0,
      nextAt: plannedLook(lookEvery, now),
      ...(isOther && { revision: null }),
      // What was wrong with the reference or the key of the server before says nothing any more.
      ...((isOther || hostKey !== source.hostKey) && { problem: null }),
    },
    updatedAt: now,
  }
}

const changed = (before: string | undefined, change: string | null | undefined) =>
  change === undefined ? before : (change ?? undefined)

function changedAccount(
  before: SourceAccount | undefined,
  { username, password }: SourceChange,
): SourceAccount | undefined {
  if (username === null) {
    if (password !== undefined) throw invalid('body.password: needs a user name')
    return undefined
  }
  const next = {
    username: username ?? before?.username,
    // A password belongs to its user name.
    password: password ?? (username === before?.username ? before?.password : undefined),
  }
  if (username === undefined && password === undefined) return before
  if (next.username === undefined) throw invalid('body.username: required with a password')
  if (next.password === undefined) throw invalid('body.password: required with another user name')
  return { username: next.username, password: next.password }
}

/**
 * Changes a source that was read. Returns it as written, or undefined if it was deleted, made
 * again, or `change` returns undefined.
 *
 * @throws 409 if other changes are always written first
 */
export async function changeSource(
  { id, createdAt }: Pick<Source, 'id' | 'createdAt'>,
  change: (now: Source) => Partial<Source> | undefined,
  { sources }: Needs<'sources'>,
): Promise<Stored<Source> | undefined> {
  const own = (now: Source) => (now.createdAt === createdAt ? change(now) : undefined)
  return await changeRecord(sources, id, own, `source ${id}: it`)
}
