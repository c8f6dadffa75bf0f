import { ownEntry } from '../../compose/lookup.ts'
import { matchesAny } from '../glob.ts'
import { percentOf } from '../metrics/figures.ts'
import type { AlertSubject } from '../records/alert-event.ts'
import type { AlertMetric, AlertRule, SubjectKind } from '../records/alert-rule.ts'
import type { BackupJob } from '../records/backup-job.ts'
import type { ContainerSample } from '../records/container.ts'
import type { DeploymentStatus } from '../records/deployment.ts'
import type { Host } from '../records/host.ts'
import type { HostWatch } from '../records/host-watch.ts'
import type { HostFigures } from '../records/metrics.ts'
import type { Source } from '../records/source.ts'
import { hasFailed, type StackRecord } from '../records/stack.ts'
import type { StackJob } from '../records/stack-job.ts'
import { type StackSource, unreadText, whyNotFollowing } from '../records/stack-source.ts'
import { isJobOf } from '../stacks/stack-jobs.ts'
import type { ServiceUpdate } from '../updates/list-updates.ts'
import type { PolicyOf } from '../updates/policy-of.ts'
import type { StackUpdates } from '../updates/stack-updates.ts'
import type { Observation } from './evaluate.ts'
import { failedJobs } from './failed-jobs.ts'
import { failedUpdate } from './failed-update.ts'
import { failureText, newerText } from './update-detail.ts'

/** A host as the rules see it. */
export interface HostView {
  host: Host
  /** Milliseconds since the epoch. */
  now: number
  /** Undefined if the host does not respond. */
  found?: {
    containers: readonly ContainerSample[]
    figures: HostFigures | undefined
    watch: HostWatch
  }
  /** The managed stacks on the host. */
  stacks: readonly StackRecord[]
  /** All sources, if a stack of the host follows one. */
  sources?: readonly Source[] | undefined
  policyOf: PolicyOf
  /** The newer images for these stacks, by stack; undefined if they are not known. */
  updates?: ReadonlyMap<string, StackUpdates> | undefined
  /** Usage of the disk with the service's data directory in percent; undefined for other hosts. */
  serviceDisk?: number | null
  /** The jobs that back up this host. */
  jobs: readonly BackupJob[]
  /** The jobs of all stacks. */
  stackJobs: readonly StackJob[]
}

type Measure = (rule: AlertRule) => Iterable<Observation> | undefined

/**
 * Returns a function that measures the subjects of a rule on a host. It returns undefined if the
 * host would have to answer and does not.
 */
export function observer(view: HostView): Measure {
  const { host, stacks, jobs, stackJobs, found } = view
  const { id: hostId, name: hostName } = host
  const subject = (kind: SubjectKind, id: string, name: string): AlertSubject => ({
    kind,
    id,
    name,
    hostId,
    hostName,
  })
  const itself = subject('host', hostId, hostName)
  const containers = found ? placed(found, subject) : []
  const down = found ? ended(found, subject) : []

  const ofServices = (
    { match }: AlertRule,
    services: (one: StackUpdates) => readonly ServiceUpdate[] | null,
    detail: (found: readonly ServiceUpdate[]) => string,
  ): Observation[] =>
    stacks
      .filter(({ id }) => matchesAny(match.stacks, id))
      .map((stack) => {
        const found = servicesOf(stack, view.updates, services)
        const about = subject('stack', stack.id, stack.id)
        return { subject: about, value: found?.length ?? null, detail: found && detail(found) }
      })

  const ofHost = (value: number | null): Observation[] => [{ subject: itself, value }]
  const measures: Record<AlertMetric, Measure> = {
    cpu_percent: (rule) => running(containers, rule, ({ usage }) => usage?.cpuPercent ?? null),
    memory_percent: (rule) =>
      running(containers, rule, ({ usage }) => usage?.memoryPercent ?? null),
    unhealthy: (rule) =>
      running(containers, rule, ({ health }) => unhealthy(health), failedCheckOf),
    restarts: (rule) =>
      found &&
      among(containers, rule, ({ sample }) => restartsIn(sample, rule, view.now, found.watch)),
    container_down: (rule) => among(down, rule, ({ value }) => value),
    disk_percent: () =>
      ofHost(percentOf(found?.figures?.disk ?? null, found?.figures?.diskTotal ?? null)),
    service_disk_percent: () => (view.serviceDisk === undefined ? [] : ofHost(view.serviceDisk)),
    host_down: () => ofHost(found ? 0 : 1),
    deploy_failed: ({ match }) =>
      stacks
        .filter(({ id, last }) => last && matchesAny(match.stacks, id))
        .map((stack) => ({
          subject: subject('stack', stack.id, stack.id),
          value: stack.last?.status === 'running' ? null : Number(hasFailed(stack.last)),
        })),
    backup_failed: () =>
      jobs
        .filter(({ lastRun, actsAs }) => lastRun || actsAs?.blocked)
        .map(({ id, name, lastRun, actsAs }) => ({
          subject: subject('backup_job', id, name),
          value: actsAs?.blocked ? 1 : outcomeOf(lastRun),
        })),
    job_failed: ({ match }) =>
      stacks.flatMap((stack) => {
        const { id } = stack
        const own = stackJobs.filter((job) => isJobOf(stack, job))
        if (own.length === 0 || !matchesAny(match.stacks, id)) return []
        const detail = failedJobs(own)
        const value = Number(detail !== undefined)
        return [{ subject: subject('stack', id, id), value, detail }]
      }),
    updates_available: (rule) => ofServices(rule, ({ newer }) => newer, newerText),
    update_checks_failed: (rule) => ofServices(rule, ({ failing }) => failing, failureText),
    update_failed: ({ match }) =>
      stacks
        .map((stack) => ({ ...stack, updatePolicy: view.policyOf(stack) }))
        .filter(({ id, update, updatePolicy }) => {
          return (update || updatePolicy.source !== 'default') && matchesAny(match.stacks, id)
        })
        .map((stack) => {
          const detail = failedUpdate(stack)
          return {
            subject: subject('stack', stack.id, stack.id),
            value: stack.last?.status === 'running' ? null : Number(detail !== undefined),
            detail,
          }
        }),
    source_failed: ({ match }) =>
      stacks.flatMap(({ id, source }) => {
        if (!source || !matchesAny(match.stacks, id)) return []
        const detail = whyNotFollowing(source) ?? whyNotRead(source, view.sources)
        const value = Number(detail !== undefined)
        return [{ subject: subject('stack', id, id), value, detail }]
      }),
  }
  return (rule) => {
    if (!matchesAny(rule.match.hosts, hostName, hostId)) return []
    return found || !needsHost.has(rule.metric) ? measures[rule.metric](rule) : undefined
  }
}

/** Returns a function that says whether a subject is no longer among what a host has. */
export function goneFrom({ found, stacks, jobs }: HostView): (subject: AlertSubject) => boolean {
  return ({ kind, id, name }) => {
    if (kind === 'stack') return stacks.every((stack) => stack.id !== id)
    if (kind === 'backup_job') return jobs.every((job) => job.id !== id)
    if (kind !== 'container' || !found) return false
    return found.containers.every((one) => one.id !== id && one.name !== name)
  }
}

const needsHost: ReadonlySet<AlertMetric> = new Set([
  'cpu_percent',
  'memory_percent',
  'unhealthy',
  'restarts',
  'container_down',
  'disk_percent',
])

interface Placed {
  subject: AlertSubject
  stack: string | null
}
type Named = (kind: SubjectKind, id: string, name: string) => AlertSubject

const placed = ({ containers }: NonNullable<HostView['found']>, named: Named) =>
  containers.map((sample) => ({
    sample,
    stack: sample.stack,
    subject: named('container', sample.id, sample.name),
  }))

/** Returns the containers that are expected to run, with the value 1 for those that are down. */
const ended = ({ watch }: NonNullable<HostView['found']>, named: Named) =>
  Object.entries(watch.expected).map(([name, { id, stack, is }]) => ({
    subject: named('container', id, name),
    stack,
    value: Number(is === 'down'),
  }))

function* among<P extends Placed>(
  all: readonly P[],
  { match }: AlertRule,
  value: (one: P) => number | null,
  detail: (one: P) => string | undefined = () => undefined,
): Generator<Observation, void, void> {
  for (const one of all) {
    if (match.stacks && !matchesAny(match.stacks, one.stack)) continue
    if (match.containers && !matchesAny(match.containers, one.subject.name)) continue
    yield { subject: one.subject, value: value(one), detail: detail(one) }
  }
}

/**
 * Looks in a row that may fail without an alert, by why. A server that does not respond, such as
 * while it restarts, is asked again after a minute and after two more.
 */
const tolerated: ReadonlyMap<string, number> = new Map([
  ['unreachable', 2],
  ['limited', 1],
])

/**
 * Returns a sentence that says that looks at the source of a stack fail. No sync fails then, as it
 * has nothing new to take.
 */
function whyNotRead(
  { source: name, sourceCreatedAt }: StackSource,
  sources: readonly Source[] = [],
): string | undefined {
  const source = sources.find(({ id, createdAt }) => id === name && createdAt === sourceCreatedAt)
  if (!source?.look.problem) return undefined
  const { failures, problem } = source.look
  return failures > (tolerated.get(problem.reason) ?? 0) ? unreadText : undefined
}

/** Measures running containers only. For these rules other containers are gone. */
function running(
  all: readonly (Placed & { sample: ContainerSample })[],
  rule: AlertRule,
  value: (sample: ContainerSample) => number | null,
  detail: (sample: ContainerSample) => string | undefined = () => undefined,
): Iterable<Observation> {
  return among(
    all.filter(({ sample }) => sample.state === 'running'),
    rule,
    ({ sample }) => value(sample),
    ({ sample }) => detail(sample),
  )
}

/** Returns what the last health check of a container printed if it failed. */
const failedCheckOf = ({ run }: ContainerSample) => run?.healthOutput

/** The result is unknown until the first health check is done. */
const unhealthy = (health: string | null) =>
  health === 'starting' ? null : Number(health === 'unhealthy')

function restartsIn(
  { id }: ContainerSample,
  rule: AlertRule,
  now: number,
  watch: HostWatch,
): number {
  const from = now - rule.forSeconds * 1000
  return (ownEntry(watch.restarts, id)?.times ?? []).filter((at) => at > from).length
}

/** Returns 1 if the latest run of a job failed; null while one is running. */
function outcomeOf(last: { status: DeploymentStatus } | null): number | null {
  if (!last || last.status === 'running') return null
  return Number(last.status !== 'succeeded')
}

/**
 * Returns the services of a stack that a metric counts; undefined while they are not known. During
 * a deployment they are not, because their containers come and go.
 */
function servicesOf(
  { id, last }: StackRecord,
  updates: HostView['updates'],
  services: (one: StackUpdates) => readonly ServiceUpdate[] | null,
): readonly ServiceUpdate[] | undefined {
  if (!updates || last?.status === 'running') return undefined
  const one = updates.get(id)
  return one ? (services(one) ?? undefined) : []
}
