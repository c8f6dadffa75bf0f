import type { components } from '../../data/api.types.ts'
import type { HostName } from '../../data/host-ids.ts'
import { nameOfHostIn } from '../../data/host-names.ts'
import type { StateName } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

type Schemas = components['schemas']
type Alert = Schemas['Alert']
type Stack = Schemas['Stack']
type Host = Schemas['Host']
type Container = Schemas['Container']

/** Something that is wrong now. */
export interface Trouble {
  key: string
  state: StateName
  /** What it is about, with its page. */
  subject: string
  href: string
  what: string
  /** The cause in the words of the service or of the Engine. */
  why?: string | undefined
  host: HostName
  since: string | null
}

interface Known {
  alerts?: readonly Alert[] | undefined
  stacks?: readonly Stack[] | undefined
  hosts?: readonly Host[] | undefined
  containers?: readonly Container[] | undefined
}

/** Returns current troubles, failures first, then the newest. Lists each subject once. */
export function troublesOf({ alerts = [], stacks = [], hosts, containers = [] }: Known) {
  const nameOf = nameOfHostIn(hosts, true)
  const keys = new Set<string>()
  const all = [
    ...alerts.flatMap(ofAlert),
    ...(hosts ?? []).flatMap(ofHost),
    ...stacks.flatMap((stack) => ofStack(stack, nameOf(stack.host))),
    ...containers.flatMap(ofContainer),
  ].filter(({ key }) => !keys.has(key) && keys.add(key))
  const causes = stacksOf(all, containers)
  const shown = all.filter(({ key, state }) => state === 'failed' || !causes.has(key))
  return shown.sort(
    (one, two) => rank(one) - rank(two) || (two.since ?? '').localeCompare(one.since ?? ''),
  )
}

/** Returns the keys of the states of stacks that a line about one of their containers explains. */
function stacksOf(troubles: readonly Trouble[], containers: readonly Container[]): Set<string> {
  const pages = new Set(troubles.map(({ href }) => href))
  const wrong = containers.filter(({ id, host_id }) => pages.has(`/containers/${host_id}/${id}`))
  return new Set(wrong.map(({ stack }) => `state stack ${stack}`))
}

const rank = ({ state }: Trouble) => (state === 'failed' ? 0 : 1)

/** Metrics whose alert repeats the state of their subject, with that state. */
const sameAsState: Partial<Record<Alert['metric'], string>> = {
  unhealthy: 'unhealthy',
  host_down: 'host',
  deploy_failed: 'deploy',
}

function ofAlert({ metric, severity, subject, value, rule_id, since }: Alert): Trouble[] {
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

function ofStack({ name, status, services, last_deployment: last }: Stack, host: HostName) {
  const about = { subject: name, href: `/stacks/${name}`, host }
  const since = last?.finished_at ?? null
  const troubles: Trouble[] = []
  if (last?.status === 'failed' || last?.status === 'interrupted') {
    troubles.push({
      ...about,
      key: `deploy stack ${name}`,
      state: last.status === 'failed' ? 'failed' : 'attention',
      what: last.status === 'failed' ? t.home.verbFailed[last.kind] : t.home.interrupted,
      why: last.error ?? undefined,
      since,
    })
  } else if (status === 'failed' || status === 'partial') {
    troubles.push({
      ...about,
      key: `state stack ${name}`,
      state: status === 'failed' ? 'failed' : 'attention',
      what: t.home.partly(services.running, services.total),
      since: null,
    })
  }
  return troubles
}

function ofContainer({ id, name, health, host_id, host_name, status }: Container): Trouble[] {
  if (health !== 'unhealthy') return []
  return [
    {
      key: `unhealthy container ${id}`,
      state: 'attention',
      subject: name,
      href: `/containers/${host_id}/${id}`,
      what: t.home.metric.unhealthy(1),
      why: status,
      host: host_name,
      since: null,
    },
  ]
}
