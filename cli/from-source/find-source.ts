import type { Source } from '../api/types.ts'
import { failed } from '../failure.ts'
import { everyOf, trustOf } from '../flags/source-flags.ts'
import { userOf } from '../flags/user-flags.ts'
import { quoted } from '../folder/quoted.ts'
import { shortList } from '../folder/short-list.ts'
import { clean } from '../output/text.ts'
import { openSecrets } from '../prompt.ts'
import { type FromSourceFlags, placeOf } from './flags.ts'
import { isSamePlace, type Place } from './same-place.ts'
import type { Work } from './work.ts'

/**
 * Returns the source that the flags name: one that exists, also for an address with the same
 * reference, or else a new one. Throws a `CliFailure` that names the sources with this address if
 * none has the user name.
 */
export async function findSource(flags: FromSourceFlags, work: Work): Promise<Source> {
  const place = placeOf(flags)
  if (!place) {
    const path = { name: flags.source ?? '' }
    return pinned((await work.client.get('/sources/{name}', { path })).value, flags, work)
  }
  const username = userOf(flags)
  const { value: sources } = await work.client.get('/sources')
  const there = sources.filter((one) => isSamePlace(one, place))
  if (there.length === 0) return makeSource(place, flags, sources, work)
  const known = chooseSource(there, username)
  refuseOthers(known, flags)
  work.print.note(`the source ${clean(known.name)} has this address already: it is used`)
  return pinned(known, flags, work)
}

/**
 * Returns the source of an address that is read as a user, or the only one if no user is named.
 * Throws a `CliFailure` that names the others. A second source is not made without being asked for:
 * mostly the first one was made before its user was known.
 */
function chooseSource(there: readonly Source[], username: string | undefined): Source {
  const known = there.find((one) => one.username === (username ?? null))
  if (known) return known
  const [first, ...others] = there
  if (first && others.length === 0 && username === undefined) return first
  const names = shortList(there.map(({ name }) => name))
  if (!first || username === undefined) {
    throw failed(`several sources have this address already: ${names}`, {
      hint: 'use --source with one of them instead of --git or --oci',
    })
  }
  const [name, user] = [clean(first.name), clean(quoted(username))]
  throw failed(`this address has a source already, which is not read as ${user}: ${names}`, {
    hint: `to read it so: cli sources update ${name} --user ${user} --password, then repeat the command; to make another one: cli sources create`,
  })
}

/** What decides how it is read is not changed here: other stacks may follow it. */
function refuseOthers({ name }: Source, flags: FromSourceFlags): void {
  const { ca, privateKey, ageIdentity, every } = flags
  if ([ca, privateKey, ageIdentity, every].every((one) => one === undefined)) return
  const source = clean(name)
  throw failed(`the source ${source} has this address already, and is not changed here`, {
    hint: `change it with \`cli sources update ${source}\`, and leave out --ca, --private-key, --age-identity and --every`,
  })
}

/** Gives a source the key of its server that `--host-key` names, if it has none yet. */
async function pinned(source: Source, flags: FromSourceFlags, work: Work): Promise<Source> {
  const { hostKey } = flags
  if (hostKey === undefined || hostKey === source.host_key) return source
  const name = clean(source.name)
  if (source.host_key !== null) {
    throw failed(`--host-key: the source ${name} has confirmed ${clean(source.host_key)}`, {
      hint: `if the server has another key now: cli sources update ${name} --host-key ${clean(hostKey)}`,
    })
  }
  const request = { path: { name: source.name }, body: { host_key: hostKey } }
  return (await work.client.put('/sources/{name}', request)).value
}

async function makeSource(
  place: Place,
  flags: FromSourceFlags,
  sources: readonly Source[],
  { client, io, made }: Work,
): Promise<Source> {
  const username = userOf(flags)
  const every = everyOf(flags)
  const trust = await trustOf(flags, io)
  const password = username === undefined ? undefined : await openSecrets(io).next('Password')
  const name = nameFor(place.url, new Set(sources.map((one) => one.name)))
  const access = { ...trust, username, password }
  const looks = every === undefined ? {} : { look_every_seconds: every }
  const body = { name, ...place, ...access, ...looks }
  const { value: source } = await client.post('/sources', { body })
  made.push(
    `the source ${clean(name)} is made: --source ${clean(name)} goes on with it; \`cli sources delete ${clean(name)}\` removes it`,
  )
  return source
}

/** Returns a name that no source has: that of the repository, with a number if it is taken. */
export function nameFor(url: string, taken: ReadonlySet<string>): string {
  const last = url.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? ''
  const plain = last
    .replace(/\.git$/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 50)
  const name = plain === '' ? 'source' : plain
  for (let number = 1; ; number += 1) {
    const one = number === 1 ? name : `${name}-${number}`
    if (!taken.has(one)) return one
  }
}
