import { isDeepStrictEqual } from 'node:util'
import { must } from '../../compose/must.ts'
import { registryProblem } from '../../compose/reference/registry-problem.ts'
import { serviceRow } from '../audit/row.ts'
import { publicMessage } from '../errors.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { ImageLook } from '../records/image-look.ts'
import { allowedRegistries } from '../registries/allowed.ts'
import { Semaphore } from '../semaphore.ts'
import { judgeUpdate } from './judge-update.ts'
import {
  askRegistry,
  type ClosedRegistry,
  compareUsed,
  type LookContext,
  type TagLook,
  type TagPorts,
} from './look-at-tag.ts'
import { firstLook, hourOf, isDue, newLook, nextTry, unusedMax } from './look-times.ts'
import { whyUnchecked } from './service-images.ts'
import { groupBy, type UsedTag, usedTags } from './used-tags.ts'

export type LookPorts = TagPorts &
  Needs<
    | 'stacks'
    | 'hosts'
    | 'settings'
    | 'registries'
    | 'imageLooks'
    | 'leases'
    | 'background'
    | 'audit'
    | 'log'
  >

const hour = 3_600_000
/** Requests that a registry gets at once. */
const atOnce = 2
/** Registries that are asked at once. */
const registriesAtOnce = 8

/**
 * Asks registries for newer images of the tags that stacks use, each tag once in a period for all
 * stacks and hosts. Only one process does so at a time. Never rejects: failures are logged and
 * retried.
 */
export async function lookForUpdates(ports: LookPorts, signal: AbortSignal): Promise<void> {
  try {
    const { settings, leases, background } = ports
    const period = (await settings.get())['updates.check_hours'] * hour
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

/** Milliseconds between two looks at a tag, and the private registries that are asked. */
interface Run {
  period: number
  allowed: readonly string[]
  signal: AbortSignal
}

async function lookUnderLease(
  { period, signal }: Pick<Run, 'period' | 'signal'>,
  ports: LookPorts,
): Promise<void> {
  const [used, looks, allowed] = await Promise.all([
    usedTags(ports),
    ports.imageLooks.list(),
    allowedRegistries(ports),
  ])
  await forget(used, looks, ports)
  const byName = new Map(looks.map((look) => [look.id, look]))
  const asked = used.filter(
    ({ tag, services }) =>
      registryProblem(tag.registry, allowed) === undefined &&
      services.some((one) => whyUnchecked(one) === undefined),
  )
  const turns = new Semaphore(registriesAtOnce)
  await Promise.all(
    [...groupBy(asked, ({ tag }) => tag.registry).values()].map((tags) =>
      turns.run(() =>
        lookAtRegistry(tags, byName, { period, allowed, signal }, ports).catch((error) => {
          signal.throwIfAborted()
          ports.log.warn('a registry could not be looked at', { error })
        }),
      ),
    ),
  )
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

/** Looks at the tags of one registry, two at a time, until it takes no more requests. */
async function lookAtRegistry(
  tags: readonly UsedTag[],
  byName: ReadonlyMap<string, Stored<ImageLook>>,
  run: Run,
  ports: LookPorts,
): Promise<void> {
  const registry = tags[0]?.tag.registry ?? ''
  const account = await ports.registries.find(registry)
  let closed = closedUntil(tags, byName, ports.clock.now())
  const waiting = [...tags]
  const work = async () => {
    for (let tag = waiting.shift(); tag && !run.signal.aborted; tag = waiting.shift()) {
      const visit = { ...run, account, before: byName.get(tag.name), closed }
      closed = (await lookAtTag(tag, visit, ports)) ?? closed
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** Returns until when a registry takes no requests, by what it said in an earlier run. */
function closedUntil(
  tags: readonly UsedTag[],
  byName: ReadonlyMap<string, ImageLook>,
  now: number,
): ClosedRegistry | undefined {
  const limited = tags.flatMap(({ name }) => {
    const look = byName.get(name)
    if (look?.problem?.kind !== 'limited' || isDue(look, now, 0)) return []
    return [{ until: look.nextAt, problem: look.problem }]
  })
  return limited.sort((one, other) => other.until - one.until)[0]
}

interface Visit extends LookContext {
  before: Stored<ImageLook> | undefined
  closed: ClosedRegistry | undefined
  allowed: readonly string[]
}

/** Looks at one tag, if it is due. Returns until when its registry takes no further requests. */
async function lookAtTag(
  tag: UsedTag,
  visit: Visit,
  ports: LookPorts,
): Promise<ClosedRegistry | undefined> {
  const { clock } = ports
  const { before } = visit
  const known = { ...(before ?? firstRecord(tag, ports)), usedAt: hourOf(clock.now()) }
  const asked = isDue(known, clock.now(), visit.period)
    ? await ask(tag, known, visit, ports)
    : { look: known, closed: visit.closed }
  const isOpen = asked.look.problem === null && !asked.closed
  const look = isOpen ? await compare(tag, asked.look, visit, ports) : asked.look
  await reportNewer(tag, { before, look, allowed: visit.allowed }, ports)
  await save(before, look, ports)
  return asked.closed
}

function firstRecord({ name }: UsedTag, { clock, random }: LookPorts): ImageLook {
  const now = clock.now()
  return newLook(name, now, firstLook(now, (random.bytes(1)[0] ?? 0) / 255))
}

async function ask(
  tag: UsedTag,
  known: ImageLook,
  visit: Visit,
  ports: LookPorts,
): Promise<TagLook> {
  const { closed } = visit
  if (!closed || closed.until <= ports.clock.now()) return askRegistry(tag, known, visit, ports)
  return { look: { ...known, problem: closed.problem, nextAt: closed.until }, closed }
}

/** Compares what the digest alone does not tell. What fails is tried again with the next look. */
async function compare(
  tag: UsedTag,
  look: ImageLook,
  visit: Visit,
  ports: LookPorts,
): Promise<ImageLook> {
  try {
    return await compareUsed(tag, look, visit, ports)
  } catch (error) {
    visit.signal.throwIfAborted()
    const text = publicMessage(error, 'the images could not be compared')
    const nextAt = nextTry(ports.clock.now(), visit.period, 0.5)
    return { ...look, problem: { kind: 'failed', text }, nextAt }
  }
}

/** Writes an audit row, which is also an event, for each stack that has a newer image now. */
async function reportNewer(
  tag: UsedTag,
  change: { before: ImageLook | undefined; look: ImageLook; allowed: readonly string[] },
  { audit, random, clock }: LookPorts,
): Promise<void> {
  const { before, look, allowed } = change
  const news = tag.services.filter((service) => {
    if (judgeUpdate(service, look, allowed).state !== 'newer') return false
    const was = judgeUpdate(service, before, allowed)
    return was.state !== 'newer' || was.newer?.digest !== look.digest
  })
  for (const [stack, services] of groupBy(news, (service) => service.stack)) {
    const { hostId } = must(services[0], 'service of a stack')
    const names = services.map(({ service }) => service).join(', ')
    await audit.append(
      serviceRow({
        id: random.id(),
        at: clock.now(),
        action: 'images.outdated',
        outcome: 'succeeded',
        subject: { kind: 'stacks', id: stack },
        hosts: [hostId],
        values: { image: tag.name, digest: look.digest ?? '', services: names },
      }),
    )
  }
}

/**
 * Saves a record that changed. If someone asked for a look meanwhile, that stays, and the next run
 * looks again.
 */
async function save(
  before: Stored<ImageLook> | undefined,
  look: ImageLook,
  { imageLooks }: LookPorts,
): Promise<void> {
  if (!before) await imageLooks.create(look)
  else if (!isDeepStrictEqual({ ...look, revision: before.revision }, before)) {
    await imageLooks.replace({ ...look, revision: before.revision })
  }
}
