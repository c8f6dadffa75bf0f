import type { JudgePorts } from '../acts-as/judge-later-work.ts'
import { leaseHeld, publicMessage } from '../errors.ts'
import { groupBy } from '../group-by.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import { SourceFailure, type SourceProblem } from '../ports/source-reader.ts'
import type { Source } from '../records/source.ts'
import type { SourceAddress } from '../records/source-address.ts'
import { ociTarget } from '../registries/oci-target.ts'
import { Semaphore } from '../semaphore.ts'
import { chance } from '../time/chance.ts'
import { afterLook, isLookDue, type LookOutcome } from './decide-look.ts'
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

/** Registries that are asked at once, each for one source at a time. */
const atOnce = 4

/** What holds for all sources of a registry: the others are asked in a later run. */
const ofRegistry: ReadonlySet<string> = new Set<SourceProblem>(['unreachable', 'limited'])

/**
 * Looks at the sources whose time has come, each in one process at a time. Never rejects: failures
 * are recorded, or logged and retried.
 */
export async function lookAtSources(ports: SourceLookPorts, signal: AbortSignal): Promise<void> {
  try {
    const now = ports.clock.now()
    const due = (await ports.sources.list()).filter((source) => isLookDue(source, now))
    const turns = new Semaphore(atOnce)
    const registries = groupBy(due, ({ url, ref }) => ociTarget(url, ref)?.registry ?? url)
    await Promise.all(
      [...registries.values()].map((own) => turns.run(() => lookInTurn(own, ports, signal))),
    )
  } catch (error) {
    if (!signal.aborted) ports.log.warn('sources could not be looked at', { error })
  }
}

/** Looks at the sources of one registry. The one that was asked longest ago comes first. */
async function lookInTurn(
  sources: readonly Source[],
  ports: SourceLookPorts,
  signal: AbortSignal,
): Promise<void> {
  const inOrder = sources.toSorted((a, b) => (a.look.askedAt ?? 0) - (b.look.askedAt ?? 0))
  for (const { id } of inOrder) {
    const looked = await lookIfDue(id, ports, signal)
    if (ofRegistry.has(looked?.look.problem?.reason ?? '')) return
  }
}

/** Returns the source with what was seen, if it was looked at. */
async function lookIfDue(
  name: string,
  ports: SourceLookPorts,
  signal: AbortSignal,
): Promise<Source | undefined> {
  try {
    return await underLease(name, ports, signal, async (held) => {
      const source = await ports.sources.find(name)
      // Under the lease: another process may just have looked.
      if (!source || !isLookDue(source, ports.clock.now())) return undefined
      return lookAt(source, ports, held)
    })
  } catch (error) {
    const text = 'a source could not be looked at'
    if (signal.aborted || !ports.reminders.isDue(`${text} ${name}`)) return undefined
    ports.log.warn(text, { source: name, error })
    return undefined
  }
}

/**
 * Looks at a source now, whatever is planned. Returns it with what was seen.
 *
 * @throws 404 if there is no such source, 409 if it is being looked at
 */
export async function lookNow(
  name: string,
  ports: SourceLookPorts,
  signal: AbortSignal,
): Promise<Stored<Source>> {
  await getSource(name, ports)
  const looked = await underLease(name, ports, signal, async (held) =>
    lookAt(await getSource(name, ports), ports, held),
  )
  if (!looked) throw leaseHeld(`source ${name}: it is being looked at`)
  return looked
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
): Promise<Stored<Source>> {
  const outcome = await outcomeOf(source, ports, signal)
  signal.throwIfAborted()
  const moment = { now: ports.clock.now(), chance: chance(ports) }
  const written = await changeSource(
    source,
    (now) => {
      const isSame = now.updatedAt === source.updatedAt && now.look.askedAt === source.look.askedAt
      return isSame ? { look: afterLook(now, outcome, moment) } : undefined
    },
    ports,
  )
  return written ?? getSource(source.id, ports)
}

async function outcomeOf(
  source: Source,
  ports: SourceLookPorts,
  signal: AbortSignal,
): Promise<LookOutcome> {
  const standing = await judgeSource(source, ports)
  if (standing.kind === 'blocked') {
    return { problem: { reason: 'blocked', message: standing.reason } }
  }
  try {
    return await ports.sourceReader.look(await addressOf(source, ports), signal)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SourceFailure) {
      const problem = { reason: error.problem, message: error.message }
      return { problem, retryAfter: error.retryAfter }
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
async function addressOf(
  { kind, url, ref, account }: Source,
  { registries }: Needs<'registries'>,
): Promise<SourceAddress> {
  const registry = ociTarget(url, ref)?.registry
  const stored = account ?? (registry === undefined ? undefined : await registries.find(registry))
  const own = stored && { username: stored.username, password: stored.password }
  return { kind, url, ref, account: own }
}
