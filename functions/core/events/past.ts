import { callHost } from '../hosts/call-host.ts'
import type { HostNames } from '../hosts/host-names.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import type { EncodedEvent, Gap, PastEvents, ServiceEvent } from '../ports/service-events.ts'
import { type Host, isReachable } from '../records/host.ts'
import { alertsSince } from './alerts.ts'
import { backupsSince } from './backups.ts'
import { connectionsSince } from './connections.ts'
import { startAndEndEvents } from './deployments.ts'
import { fromEngineEvent as dockerHappening, historySince } from './engine.ts'
import { fromAuditRow } from './from-audit-row.ts'
import type { ServicePorts } from './service.ts'
import { encodeEvent, encodeGap } from './service-event.ts'

type Ports = ServicePorts & Needs<'engines'>

/** How far back past events are read. Milliseconds. */
const farthest = 24 * 3_600_000
const rowsMax = 1000
const stacksMax = 50
const deploymentsMax = 20

/**
 * Returns the past events of the service and of these hosts since an instant, in order, with gaps
 * where events are lost.
 */
export async function pastEvents(
  since: number,
  hosts: readonly Host[],
  ports: Ports,
): Promise<EncodedEvent[]> {
  const now = ports.clock.now()
  const names = new Map(hosts.map(({ id, name }) => [id, name]))
  const nameOf = (hostId: string) => names.get(hostId) ?? null
  const from = Math.max(since, now - farthest)
  const cut = since < from ? [null, ...hosts.map(({ id }) => id)] : []
  const pieces = await Promise.all([
    cut.map((hostId) => encodeGap({ hostId, from: since, to: from }, nameOf)),
    ofService(from, nameOf, ports),
    ...hosts.filter(isReachable).map((host) => ofHost(host, from, now, ports)),
  ])
  return pieces.flat().sort((a, b) => a.at - b.at)
}

async function ofHost(
  host: Host,
  since: number,
  now: number,
  ports: Ports,
): Promise<EncodedEvent[]> {
  const found = await callHost(host.id, ports, (engine) => historySince(engine, since, now)).catch(
    ignoreFailure('read the past events of a host'),
  )
  const { events, missing } = found ?? { events: [], missing: { from: since, to: now } }
  const gaps: Gap[] = missing ? [{ hostId: host.id, ...missing }] : []
  const nameOf = () => host.name
  return [
    ...gaps.map((gap) => encodeGap(gap, nameOf)),
    ...events.map((event) => encodeEvent(dockerHappening(host.id, event), nameOf)),
  ]
}

/** Reports the beginning and the end of past deployments, but not their steps. */
async function ofService(since: number, nameOf: HostNames, ports: Ports): Promise<EncodedEvent[]> {
  const { rows, next } = await ports.audit.list({ since, limit: rowsMax })
  const stacks = new Set(
    rows.flatMap(({ subject }) => (subject?.kind === 'stacks' ? [subject.id] : [])),
  )
  const parts = await Promise.all([
    ...[...stacks].slice(0, stacksMax).map((stack) => outlineOf(stack, since, ports)),
    backupsSince(since, ports),
    alertsSince(since, ports),
  ])
  const oldest = Math.min(...rows.map(({ at }) => at))
  const lostUntil = Math.max(
    next === undefined ? since : oldest,
    stacks.size > stacksMax ? ports.clock.now() : since,
    ...parts.map(({ completeFrom }) => completeFrom),
  )
  const told: ServiceEvent[] = [
    ...rows.flatMap((row) => fromAuditRow(row) ?? []),
    ...parts.flatMap(({ events }) => events),
    ...(await connectionsSince(since, ports)),
  ]
  const gaps: Gap[] = lostUntil > since ? [{ hostId: null, from: since, to: lostUntil }] : []
  return [
    ...gaps.map((gap) => encodeGap(gap, nameOf)),
    ...told.map((event) => encodeEvent(event, nameOf)),
  ]
}

/**
 * Returns the beginnings and ends of the newest deployments of a stack, and the time from which
 * none is missing: `since`, or the beginning of the oldest one that was read.
 */
async function outlineOf(
  stack: string,
  since: number,
  { deployments }: Ports,
): Promise<PastEvents> {
  const found = await deployments.listByStack(stack, deploymentsMax)
  const oldest = found.length < deploymentsMax ? undefined : found.at(-1)
  return {
    events: found.flatMap(startAndEndEvents).filter(({ time }) => Date.parse(time) >= since),
    completeFrom: Math.max(since, oldest?.startedAt ?? since),
  }
}
