import type { Actor } from '../access/actor.ts'
import { serviceRow } from '../audit/row.ts'
import { changeHook, freed, isHookDue, taken } from '../hooks/hook-record.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Source } from '../records/source.ts'
import type { SourceHook } from '../records/source-hook.ts'
import { byServer, turnTime } from './by-server.ts'
import { isSeenSince, lookForHook } from './look-at-source.ts'
import { isOfSource, judgeSourceHook, ofSources } from './source-hook.ts'
import type { SyncPorts } from './sync-ports.ts'
import { syncSource } from './sync-stacks.ts'

export type SourceHookPorts = SyncPorts & Needs<'sourceHooks'>

/**
 * Looks at the sources whose hooks were called, and lets their stacks follow. However many requests
 * came, one look follows; one that comes just after a look waits a while. Never rejects: failures
 * are recorded, or logged and retried.
 */
export async function runSourceHooks(ports: SourceHookPorts, signal: AbortSignal): Promise<void> {
  try {
    const now = ports.clock.now()
    const hooks = (await ports.sourceHooks.list()).filter((hook) =>
      isHookDue(hook, hook.lastLook?.at, now),
    )
    const called = new Map<string, Stored<SourceHook>>()
    const sources: Source[] = []
    for (const hook of hooks) {
      const source = await ports.sources.find(hook.id)
      if (source && isOfSource(source, hook)) {
        called.set(source.id, hook)
        sources.push(source)
      } else await ports.sourceHooks.remove(hook.id, hook.revision)
    }
    await byServer(sources, (own) => followInTurn(own, called, ports, signal))
  } catch (error) {
    if (!signal.aborted) ports.log.warn('what hooks of sources asked for failed', { error })
  }
}

/** Those of a slow server that are left wait for the next run. */
async function followInTurn(
  sources: readonly Source[],
  called: ReadonlyMap<string, SourceHook>,
  ports: SourceHookPorts,
  signal: AbortSignal,
): Promise<void> {
  const began = ports.clock.monotonic()
  for (const { id } of sources) {
    const hook = called.get(id)
    if (!hook || signal.aborted || ports.clock.monotonic() - began > turnTime) return
    try {
      const now = await changeHook(hook, (one) => taken(one, ports.clock.now()), ofSources(ports))
      if (now) await follow(now, ports, signal)
    } catch (error) {
      const text = 'what the hook of a source asked for failed'
      if (signal.aborted || !ports.reminders.isDue(`${text} ${id}`)) continue
      ports.log.warn(text, { source: id, error })
    }
  }
}

async function follow(
  hook: SourceHook,
  ports: SourceHookPorts,
  signal: AbortSignal,
): Promise<void> {
  const standing = await judgeSourceHook(hook, ports)
  if (standing.kind === 'blocked') return record(hook, { error: standing.reason }, ports)
  const found = await ports.sources.find(hook.id)
  // It was deleted meanwhile: the next run removes the hook.
  if (!found || !isOfSource(found, hook)) return
  const isNewEnough = isSeenSince(found, hook.takenAt ?? 0)
  const seen = isNewEnough ? found : await lookForHook(hook.id, ports, signal)
  if (!seen) return
  const { problem, revision } = seen.look
  const error = problem?.message ?? null
  await record(hook, { error, revision }, ports, standing.actor)
  if (error === null) await syncSource(hook.id, ports, signal)
}

/** What followed the requests that were taken. */
interface Outcome {
  error: string | null
  revision?: string | null
}

async function record(
  hook: SourceHook,
  { error, revision }: Outcome,
  ports: SourceHookPorts,
  actor?: Actor,
): Promise<void> {
  const { id } = hook
  const at = ports.clock.now()
  const change = (now: SourceHook) => ({ ...freed(now, hook), lastLook: { at, error } })
  await changeHook(hook, change, ofSources(ports))
  const row = serviceRow({
    id: ports.random.id(),
    at,
    action: 'sources.hook.look',
    outcome: error === null ? 'succeeded' : 'failed',
    subject: { kind: 'sources', id },
    values: {
      ...(error === null && typeof revision === 'string' && { source_revision: revision }),
      ...(error !== null && { reason: error }),
    },
    ...(actor && { userId: actor.account.id, username: actor.account.username }),
  })
  await ports.audit.append(row)
}
