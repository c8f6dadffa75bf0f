import { isDeepStrictEqual } from 'node:util'
import { ownEntry } from '../../compose/lookup.ts'
import { serviceRow } from '../audit/row.ts'
import { conflict } from '../errors.ts'
import { groupBy } from '../group-by.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { ClosedRegistry, ImageLook } from '../records/image-look.ts'
import { hourMs } from '../records/retention-state.ts'
import { allowedRegistries } from '../registries/allowed.ts'
import { isClockTrusted as isTrusted } from '../retention/is-clock-trusted.ts'
import { Semaphore } from '../semaphore.ts'
import { chance } from '../time/chance.ts'
import { judgeUpdate, type Terms } from './judge-update.ts'
import { askRegistry, compareUsed, type LookContext, type TagPorts } from './look-at-tag.ts'
import { firstLook, hourOf, isClosed, isDue, newLook, unusedMax } from './look-times.ts'
import { whyNotAsked } from './service-images.ts'
import { type UsedTag, usedTags } from './used-tags.ts'

export type LookPorts = TagPorts &
  Needs<
    | 'stacks'
    | 'hosts'
    | 'settings'
    | 'registries'
    | 'imageLooks'
    | 'retentionStates'
    | 'updatePolicies'
    | 'leases'
    | 'background'
    | 'audit'
    | 'log'
  >

/** Requests that a registry gets at once. */
const atOnce = 2
/** Registries that are asked at once. */
const registriesAtOnce = 8
/** After this time no further tag of a registry is looked at in a run. Milliseconds. */
const registryTime = 60_000
/** After this time no further registry is looked at in a run. Milliseconds. */
const runTime = 5 * 60_000

/**
 * Asks registries for newer images of the tags that stacks use, each tag once in a period for all
 * stacks and hosts. Only one process does so at a time. Never rejects: failures are logged and
 * retried.
 */
export async function lookForUpdates(ports: LookPorts, signal: AbortSignal): Promise<void> {
  try {
    const { settings, leases, background } = ports
    const period = (await settings.get())['updates.check_hours'] * hourMs
    if (period === 0) return
    const holder = `${background.processId}/updates`
    const lease = await leases.acquire('updates', holder, leaseTime)
    if (!lease) return
    await withLeaseRenewal(lease, signal, ports, (held) =>
      lookUnderLease({ period, signal: held.signal }, ports),
    )
  } catch (error) {
    if (!signal.aborted) ports.log.warn('newer images could not be looked for', { error })
  }
}

/** What a run of looks goes by. */
interface Run extends Pick<Terms, 'allowed' | 'period'>, Pick<LookContext, 'isClockTrusted'> {
  signal: AbortSignal
  /** By the monotonic clock. No registry is begun after it. */
  endsAt: number
}

async function lookUnderLease(
  { period, signal }: Pick<Run, 'period' | 'signal'>,
  ports: LookPorts,
): Promise<void> {
  const [used, looks, allowed, isClockTrusted] = await Promise.all([
    usedTags(ports),
    ports.imageLooks.list(),
    allowedRegistries(ports),
    isTrusted(ports),
  ])
  await forget(used, looks, ports)
  const byName = new Map(looks.map((look) => [look.id, look]))
  const asked = used.filter(({ services }) =>
    services.some((one) => whyNotAsked(one, allowed) === undefined),
  )
  const turns = new Semaphore(registriesAtOnce)
  const endsAt = ports.clock.monotonic() + runTime
  const run = { period, allowed, isClockTrusted, signal, endsAt }
  await Promise.all(
    longestWaiting(asked, byName).map((tags) =>
      turns.run(() =>
        lookAtRegistry(tags, byName, run, ports).catch((error) => {
          if (!signal.aborted) ports.log.warn('a registry could not be looked at', { error })
        }),
      ),
    ),
  )
}

/** Returns the tags by registry, that first whose tags wait for the longest time. */
function longestWaiting(
  tags: readonly UsedTag[],
  byName: ReadonlyMap<string, ImageLook>,
): UsedTag[][] {
  const since = ({ name }: UsedTag) => byName.get(name)?.nextAt ?? Number.POSITIVE_INFINITY
  const first = (group: readonly UsedTag[]) => Math.min(...group.map(since))
  const groups = [...groupBy(tags, ({ tag }) => tag.registry).values()]
  for (const group of groups) group.sort((one, other) => since(one) - since(other) || 0)
  return groups.sort((one, other) => first(one) - first(other) || 0)
}

/** Forgets tags that no stack has used for long. */
async function forget(
  used: readonly UsedTag[],
  looks: readonly Stored<ImageLook>[],
  { imageLooks, clock }: LookPorts,
): Promise<void> {
  const names = new Set(used.map(({ name }) => name))
  const old = looks.filter(({ id, usedAt }) => !names.has(id) && clock.now() - usedAt > unusedMax)
  for (const { id, revision } of old) await imageLooks.remove(id, revision)
}

/** Looks at the tags of one registry, two at a time, until it is closed or its time is over. */
async function lookAtRegistry(
  tags: readonly UsedTag[],
  byName: ReadonlyMap<string, Stored<ImageLook>>,
  run: Run,
  ports: LookPorts,
): Promise<void> {
  const { clock, log } = ports
  if (clock.monotonic() > run.endsAt) return
  const endsAt = clock.monotonic() + registryTime
  const account = await ports.registries.find(tags[0]?.tag.registry ?? '')
  let closed = closedUntil(tags, byName, clock.now())
  const waiting = [...tags]
  const work = async () => {
    while (!run.signal.aborted && clock.monotonic() < endsAt) {
      const tag = waiting.shift()
      if (!tag) return
      try {
        const visit = { ...run, account, before: byName.get(tag.name), closed }
        closed = (await lookAtTag(tag, visit, ports)) ?? closed
      } catch (error) {
        if (!run.signal.aborted) log.warn('a tag could not be looked at', { tag: tag.name, error })
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** Returns until when a registry is not to be asked, by what it said of its tags. */
function closedUntil(
  tags: readonly UsedTag[],
  byName: ReadonlyMap<string, ImageLook>,
  now: number,
): ClosedRegistry | undefined {
  const all = tags.flatMap(({ name }) => byName.get(name)?.closes ?? [])
  return all.filter((one) => isClosed(one, now)).sort((one, other) => other.until - one.until)[0]
}

interface Visit extends LookContext, Run {
  before: Stored<ImageLook> | undefined
  closed: ClosedRegistry | undefined
}

/** Looks at one tag, if it is due. Returns until when its registry is not to be asked. */
async function lookAtTag(
  tag: UsedTag,
  visit: Visit,
  ports: LookPorts,
): Promise<ClosedRegistry | undefined> {
  const { clock } = ports
  const { before } = visit
  const known = { ...(before ?? firstRecord(tag, ports)), usedAt: hourOf(clock.now()) }
  const closed = visit.closed && isClosed(visit.closed, clock.now()) ? visit.closed : undefined
  let look = known
  if (isDue(known, clock.now(), visit.period)) {
    look = closed
      ? { ...known, problem: closed.problem, nextAt: closed.until }
      : await askRegistry(tag, known, visit, ports)
  }
  const isOpen = look.problem === null && !closed && !look.closes
  if (isOpen) look = await compareUsed(tag, look, visit, ports)
  const reported = reportedNow(tag, look, { ...visit, now: clock.now() })
  // First: a process that is killed in between reports it twice, not never.
  await report(tag, before?.reported ?? {}, reported, ports)
  await save(before, { ...look, reported }, ports)
  return look.closes && isClosed(look.closes, clock.now()) ? look.closes : undefined
}

function firstRecord({ name }: UsedTag, ports: LookPorts): ImageLook {
  const now = ports.clock.now()
  return newLook(name, now, firstLook(now, chance(ports)))
}

/** Returns the newer digest that is reported of each stack. What is not known now stays. */
function reportedNow(tag: UsedTag, look: ImageLook, terms: Terms): Record<string, string> {
  const stacks = groupBy(tag.services, ({ stack }) => stack)
  const entries = [...stacks].flatMap(([stack, services]): [string, string][] => {
    const isNewer = services.some((one) => judgeUpdate(one, look, terms).state === 'newer')
    const before = ownEntry(look.reported, stack)
    const digest = isNewer ? look.digest : before
    return digest === null || digest === undefined ? [] : [[stack, digest]]
  })
  return Object.fromEntries(entries)
}

/** Writes an audit row, which is also an event, for each stack that has a newer image now. */
async function report(
  tag: UsedTag,
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
  { audit, random, clock }: LookPorts,
): Promise<void> {
  for (const [stack, digest] of Object.entries(now)) {
    if (ownEntry(before, stack) === digest) continue
    const services = tag.services.filter((service) => service.stack === stack)
    await audit.append(
      serviceRow({
        id: random.id(),
        at: clock.now(),
        action: 'images.outdated',
        outcome: 'succeeded',
        subject: { kind: 'stacks', id: stack },
        hosts: [...new Set(services.map(({ hostId }) => hostId))],
        values: {
          image: tag.name,
          digest,
          services: services.map(({ service }) => service).join(', '),
        },
      }),
    )
  }
}

/** Saves a record that changed. If someone asked for a look meanwhile, it stays due. */
async function save(
  before: Stored<ImageLook> | undefined,
  look: ImageLook,
  { imageLooks }: LookPorts,
): Promise<void> {
  if (!before && (await imageLooks.create(look))) return
  if (before && isDeepStrictEqual({ ...look, revision: before.revision }, before)) return
  if (before && (await imageLooks.replace({ ...look, revision: before.revision }))) return
  const other = await imageLooks.find(look.id)
  if (!other) return
  const nextAt = Math.min(look.nextAt, other.nextAt)
  const isSaved = await imageLooks.replace({ ...look, nextAt, revision: other.revision })
  if (!isSaved) throw conflict(`image ${look.id}: others change its record at the same time`)
}
