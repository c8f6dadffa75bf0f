import type { components } from '../../data/api.types.ts'
import { nameOfHostIn } from '../../data/host-names.ts'
import { servicesUp } from '../../data/stack-words.ts'
import type { HostName } from '../../host-ids.ts'
import { t } from '../../text/text.ts'
import { exitCodeIn, stateWord } from '../containers/state-word.ts'
import { type Found, mergeTroubles, type Trouble } from './merge-troubles.ts'

type Schemas = components['schemas']
type Alert = Schemas['Alert']
type Stack = Schemas['Stack']
type Host = Schemas['Host']
type Container = Schemas['Container']

interface Known {
  alerts?: readonly Alert[] | undefined
  stacks?: readonly Stack[] | undefined
  hosts?: readonly Host[] | undefined
  containers?: readonly Container[] | undefined
}

/**
 * Returns which containers to read. They explain the state of their stack, and of an alert, most
 * often because they ended. Otherwise only those that are unhealthy are wrong.
 */
export function containersToRead({ alerts = [], stacks = [] }: Known) {
  const isNamed =
    alerts.some(({ subject }) => subject.kind === 'container') || stacks.some(isPartly)
  return isNamed ? all : unhealthy
}

const all = { host: 'all', all: true } as const
const unhealthy = { host: 'all', health: 'unhealthy' } as const

/** Returns current troubles, failures first, then the newest. Lists each cause once. */
export function troublesOf({ alerts = [], stacks = [], hosts, containers = [] }: Known) {
  const nameOf = nameOfHostIn(hosts, true)
  const keys = new Set<string>()
  const partly = new Set(stacks.filter(isPartly).map(({ host, name }) => `${host}/${name}`))
  const all = [
    ...alerts.flatMap(ofAlert),
    ...(hosts ?? []).flatMap(ofHost),
    ...stacks.flatMap((stack) => ofStack(stack, nameOf(stack.host))),
    ...containers.flatMap((one) => ofContainer(one, partly.has(`${one.host_id}/${one.stack}`))),
  ].filter(({ key }) => !keys.has(key) && keys.add(key))
  return mergeTroubles(all, containers, stacks).sort(
    (one, two) => rank(one) - rank(two) || (two.since ?? '').localeCompare(one.since ?? ''),
  )
}

const rank = ({ state }: Trouble) => (state === 'failed' ? 0 : 1)

/** Metrics whose alert repeats the state of their subject, with that state. */
const sameAsState: Partial<Record<Alert['metric'], string>> = {
  unhealthy: 'unhealthy',
  container_down: 'down',
  host_down: 'host',
  deploy_failed: 'deploy',
}

function ofAlert({ metric, severity, subject, value, rule_id, since }: Alert): Found[] {
  const word = sameAsState[metric] ?? rule_id
  return [
    {
      key: `${word} ${subject.kind} ${subject.id}`,
      state: severity === 'critical' ? 'failed' : 'attention',
      subject: subject.name,
      href: pageOf(subject),
      what: t.home.metric[metric](round(value)),
      host: subject.host_name,
      since,
      ...(subject.kind === 'container' && { container: subject.id }),
    },
  ]
}

const round = (value: number) => Math.round(value * 10) / 10

function pageOf({ kind, id, host_id }: Alert['subject']): string {
  if (kind === 'backup_job') return '/backups'
  if (kind === 'container') return `/containers/${host_id}/${id}`
  return `/${kind}s/${kind === 'stack' ? encodeURIComponent(id) : id}`
}

function ofHost({ id, name, status, error, warning, agent }: Host): Trouble[] {
  const about = { subject: name, href: `/hosts/${id}`, host: name }
  const key = `host host ${id}`
  if (status === 'offline') {
    const since = agent?.last_seen_at ?? null
    const why = error ?? undefined
    return [{ ...about, key, state: 'failed', what: t.home.offline, why, since }]
  }
  if (warning === null) return []
  return [{ ...about, key, state: 'attention', what: t.home.warning, why: warning, since: null }]
}

function ofStack(stack: Stack, host: HostName): Found[] {
  const { name, status, services, last_deployment: last } = stack
  const about = { subject: name, href: `/stacks/${name}`, host }
  const since = last?.finished_at ?? null
  const troubles: Found[] = []
  if (last?.status === 'failed' || last?.status === 'interrupted') {
    troubles.push({
      ...about,
      key: `deploy stack ${name}`,
      state: last.status === 'failed' ? 'failed' : 'attention',
      what: last.status === 'failed' ? t.home.verbFailed[last.kind] : t.home.interrupted,
      why: last.error ?? undefined,
      since,
    })
  } else if (isPartly({ status })) {
    troubles.push({
      ...about,
      key: `state stack ${name}`,
      stack,
      state: status === 'failed' ? 'failed' : 'attention',
      what: t.home.partly(servicesUp(services), services.total),
      since: null,
    })
  }
  return troubles
}

const isPartly = ({ status }: Pick<Stack, 'status'>) => status === 'failed' || status === 'partial'

/**
 * Returns what is wrong with a container.
 *
 * @param isExpected its stack runs in part, so that a container that ended is a cause
 */
function ofContainer(container: Container, isExpected: boolean): Found[] {
  const { id, name, host_id, host_name, status } = container
  const word = stateWord(container)
  const isDown = ['failed', 'dead', 'restarting'].includes(word)
  if (word !== 'unhealthy' && !(isExpected && isDown)) return []
  const code = exitCodeIn(status)
  return [
    {
      key: `${isDown ? 'down' : word} container ${id}`,
      state: 'attention',
      subject: name,
      href: `/containers/${host_id}/${id}`,
      what: isDown && code !== undefined ? t.home.exited(code) : t.containerState[word],
      why: status,
      host: host_name,
      since: null,
      container: id,
    },
  ]
}
