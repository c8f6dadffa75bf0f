import type { JudgePorts } from '../acts-as/judge-later-work.ts'
import { leaseHeld, publicMessage } from '../errors.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import { SourceFailure, type SourceProblem } from '../ports/source-reader.ts'
import type { Source } from '../records/source.ts'
import type { SourceAddress } from '../records/source-address.ts'
import { ociTarget } from '../registries/oci-target.ts'
import { chance } from '../time/chance.ts'
import { byServer, turnTime } from './by-server.ts'
import { afterLook, isLookDue, type LookOutcome, whenToAsk } from './decide-look.ts'
import { judgeSource } from './judge-source.ts'
import { changeSource, getSource } from './source-record.ts'

export type SourceLookPorts = JudgePorts &
  Needs<
    | 'background'
    | 'clock'
    | 'leases'
    | 'log'
    | 'random'
    | 'registries'
    | 'reminders'
    | 'settings'
    | 'sourceReader'
    | 'sources'
  >

/** What holds for all sources of a server: the others are asked in a later run. */
const ofServer: ReadonlySet<string> = new Set<SourceProblem>(['unreachable', 'limited'])

/**
 * Looks at the sources whose time has come, each in one process at a time. Never rejects: failures
 * are recorded, or logged and retried.
 */
export async function lookAtSources(ports: SourceLookPorts, signal: AbortSignal): Promise<void> {
  try {
    const now = ports.clock.now()
    const sources = await ports.sources.list()
    const due = sources.filter((source) => isLookDue(source, now))
    await byServer(withAlike(due, sources), (own) => lookInTurn(own, ports, signal))
  } catch (error) {
    if (!signal.aborted) ports.log.warn('sources could not be looked at', { error })
  }
}

/** Returns sources that are due, then those that the same request answers. */
function withAlike<T extends Source>(due: readonly T[], all: readonly T[]): T[] {
  const asked = new Set(due.map(requestOf))
  const alike = all.filter(
    (source) => source.lookEvery !== null && !due.includes(source) && asked.has(requestOf(source)),
  )
  return [...due.toSorted((a, b) => (a.look.askedAt ?? 0) - (b.look.askedAt ?? 0)), ...alike]
}

/** Two sources with equal ones have the same answer: they are read with the same credentials. */
const requestOf = ({ kind, url, ref, account, key, hostKey, certificateAuthority }: Source) =>
  JSON.stringify([kind, url, ref, account, key?.privateKey, hostKey, certificateAuthority])

/** Looks at the sources of one server, in their order. */
async function lookInTurn(
  sources: readonly Source[],
  ports: SourceLookPorts,
  signal: AbortSignal,
): Promise<void> {
  const answers: Answers = new Map()
  const began = ports.clock.monotonic()
  let isAway = false
  for (const source of sources) {
    isAway ||= ports.clock.monotonic() - began > turnTime
    if (isAway && !answers.has(requestOf(source))) continue
    const looked = await lookIfDue(source.id, answers, ports, signal)
    isAway ||= ofServer.has(looked?.look.problem?.reason ?? '')
  }
}

/** How requests ended in this run: one is not made again for another source. */
type Answers = Map<string, LookOutcome>

/** Returns the source with what was seen, if it was looked at. */
async function lookIfDue(
  name: string,
  answers: Answers,
  ports: SourceLookPorts,
  signal: AbortSignal,
): Promise<Source | undefined> {
  try {
    return await underLease(name, ports, signal, async (held) => {
      const source = await ports.sources.find(name)
      // Under the lease: another process may just have looked.
      if (!source || source.lookEvery === null) return undefined
      if (!isLookDue(source, ports.clock.now()) && !answers.has(requestOf(source))) return undefined
      return lookAt(source, ports, held, { answers })
    })
  } catch (error) {
    const text = 'a source could not be looked at'
    if (signal.aborted || !ports.reminders.isDue(`${text} ${name}`)) return undefined
    ports.log.warn(text, { source: name, error })
    return undefined
  }
}

/**
 * Looks at a source for a hook, unless it is being looked at or was just before: then the request
 * waits. Returns the source with what was seen, or undefined if it was not looked at. A server that
 * takes no requests for a while is not asked, and the last failure holds.
 *
 * @throws 404 if there is no such source
 */
export async function lookForHook(
  name: string,
  ports: SourceLookPorts,
  signal: AbortSignal,
): Promise<Stored<Source> | undefined> {
  return underLease(name, ports, signal, async (held) => {
    const source = await getSource(name, ports)
    const { when } = whenToAsk(source, ports.clock.now())
    if (when === 'later') return source
    if (when === 'wait') return undefined
    const looked = await lookAt(source, ports, held, { isForHook: true })
    // A user changed the source meanwhile: the next pass looks at what it is now.
    return looked.look.askedAt === source.look.askedAt ? undefined : looked
  })
}

/** Returns whether a source was looked at since a time: what it had then is known. */
export const isSeenSince = ({ look }: Pick<Source, 'look'>, time: number): boolean =>
  (look.beganAt ?? 0) > time

/** How often the end of another look is awaited, and the pause between. Milliseconds. */
const triesMax = 100
const pause = 200

/**
 * Looks at a source now, whatever is planned. Returns it with what was seen. A look that goes on is
 * waited for: it may have begun before the change that this one is to see.
 *
 * @throws 404 if there is no such source, 409 if another look does not end within 20 seconds
 */
export async function lookNow(
  name: string,
  ports: SourceLookPorts,
  signal: AbortSignal,
): Promise<Stored<Source>> {
  for (let tries = 1; ; tries += 1) {
    await getSource(name, ports)
    const looked = await underLease(name, ports, signal, async (held) =>
      lookAt(await getSource(name, ports), ports, held),
    )
    if (looked) return looked
    if (tries === triesMax || signal.aborted)
      throw leaseHeld(`source ${name}: it is being looked at`)
    await ports.clock.sleep(pause, signal)
  }
}

/** Returns undefined if another process has the lease. */
async function underLease<T>(
  name: string,
  ports: SourceLookPorts,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const holder = `${ports.background.processId}/${ports.random.id()}`
  const lease = await ports.leases.acquire(`source:${name}`, holder, leaseTime)
  if (!lease) return undefined
  return withLeaseRenewal(lease, signal, ports, (held) => work(held.signal))
}

/**
 * Looks and records what was seen. What a user changed meanwhile makes the look void, and so does
 * another look: this process may have been paused.
 */
async function lookAt(
  source: Stored<Source>,
  ports: SourceLookPorts,
  signal: AbortSignal,
  { answers = new Map(), isForHook = false }: { answers?: Answers; isForHook?: boolean } = {},
): Promise<Stored<Source>> {
  const beganAt = ports.clock.now()
  const outcome = await outcomeOf(source, ports, signal, answers)
  signal.throwIfAborted()
  const moment = { now: ports.clock.now(), chance: chance(ports) }
  const written = await changeSource(
    source,
    (now) => {
      const isSame = now.updatedAt === source.updatedAt && now.look.askedAt === source.look.askedAt
      if (!isSame) return undefined
      const look = afterLook(now, outcome, moment)
      const isNew = look.revision !== now.look.revision
      return { look: { ...look, beganAt, ...(isNew && { hookAt: isForHook ? beganAt : null }) } }
    },
    ports,
  )
  return written ?? getSource(source.id, ports)
}

async function outcomeOf(
  source: Source,
  ports: SourceLookPorts,
  signal: AbortSignal,
  answers: Answers,
): Promise<LookOutcome> {
  const standing = await judgeSource(source, ports)
  if (standing.kind === 'blocked') {
    return { problem: { reason: 'blocked', message: standing.reason } }
  }
  const request = requestOf(source)
  const outcome = answers.get(request) ?? (await ask(source, ports, signal))
  answers.set(request, outcome)
  return outcome
}

async function ask(
  source: Source,
  ports: SourceLookPorts,
  signal: AbortSignal,
): Promise<LookOutcome> {
  try {
    return await ports.sourceReader.look(await addressOf(source, ports), signal)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SourceFailure) {
      const { problem: reason, message, hostKey, retryAfter } = error
      return { problem: { reason, message, hostKey }, retryAfter }
    }
    ports.log.warn('a source could not be looked at', { source: source.id, error })
    const message = publicMessage(error, 'the service failed: its log has the cause')
    return { problem: { reason: 'internal', message } }
  }
}

/**
 * Returns where a source is, with the account that reads it: its own, or the one that is stored of
 * its registry.
 */
export async function addressOf(
  { kind, url, ref, account, key, hostKey, certificateAuthority }: Source,
  { registries }: Needs<'registries'>,
): Promise<SourceAddress> {
  const registry = kind === 'oci' ? ociTarget(url, ref)?.registry : undefined
  const stored = account ?? (registry === undefined ? undefined : await registries.find(registry))
  const own = stored && { username: stored.username, password: stored.password }
  return { kind, url, ref, account: own, key, hostKey, certificateAuthority }
}
