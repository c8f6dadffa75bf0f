import type { components } from '../../data/api.types.ts'
import { useResource } from '../../data/cache.ts'
import type { HostId } from '../../data/host-ids.ts'
import { usePolled } from '../../data/use-polled.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Empty } from '../../parts/empty.tsx'
import { formatBytes } from '../../parts/format-bytes.ts'
import { Link } from '../../parts/link.tsx'
import { Meter } from '../../parts/meter.tsx'
import { Panel } from '../../parts/panel.tsx'
import { State, type StateName } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

type Host = components['schemas']['Host']
type Sample = components['schemas']['HostMetrics']

/** Samples are taken this often at most. Milliseconds. */
const samplesEvery = 30_000

const states: Record<Host['status'], StateName> = {
  online: 'running',
  offline: 'failed',
  pending: 'working',
  revoked: 'stopped',
}

/** Every host with its gauges. */
export function Hosts() {
  const hosts = useResource('/hosts')
  return (
    <Panel title={t.frame.hosts}>
      <Loaded
        of={hosts}
        what={t.home.hostsWhat}
        failed={t.home.hostsFailed}
        rows={2}
        empty={<Empty title={t.home.noHosts}>{t.home.noHostsNext}</Empty>}
      >
        {(rows) => (
          <ul class="home-hosts">
            {rows.map((host) => (
              <li key={host.id}>
                <HostRow host={host} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  )
}

function HostRow({ host: { id, name, status, containers, error } }: { host: Host }) {
  const isOnline = status === 'online'
  return (
    <>
      <div class="home-host">
        <Link href={`/hosts/${id}`} kind="strong">
          {name}
        </Link>
        <State of={states[status]} word={t.home.hostStatus[status]} />
        {isOnline && containers && (
          <span class="home-count">{t.home.running(containers.running, containers.total)}</span>
        )}
      </div>
      {isOnline ? <Gauges id={id} /> : <p class="home-why">{error}</p>}
    </>
  )
}

function Gauges({ id }: { id: HostId }) {
  const { value, problem } = usePolled('/hosts/{id}/metrics', { id }, samplesEvery)
  const last = value.value?.at(-1)
  const none = value.value ? !hasFigures(last) && t.home.noFigures : problem.value?.error
  return (
    <div class="home-figures">
      {/* Without figures they are hidden and keep their place: what is below does not move. */}
      <div class={none ? 'home-gauges hidden' : 'home-gauges'} aria-busy={last === undefined}>
        <Meter label={t.home.cpu} value={share(last?.cpu_percent)}>
          {percent(last?.cpu_percent)}
        </Meter>
        <Meter label={t.home.memory} value={share(last?.memory_percent)}>
          {ofTotal(last?.memory, last?.memory_total)}
        </Meter>
        <Meter label={t.home.disk} value={share(last?.disk_percent)}>
          {ofTotal(last?.disk, last?.disk_total)}
        </Meter>
      </div>
      {none && <p class="home-why">{none}</p>}
    </div>
  )
}

const hasFigures = (sample: Sample | undefined) =>
  sample !== undefined &&
  (sample.cpu_percent !== null || sample.memory !== null || sample.disk !== null)

const share = (value: number | null | undefined) => (value ?? 0) / 100
const percent = (value: number | null | undefined) =>
  typeof value === 'number' ? `${Math.round(value)} %` : '–'
const ofTotal = (used: number | null | undefined, total: number | null | undefined) =>
  typeof used === 'number' && typeof total === 'number'
    ? t.home.of(formatBytes(used), formatBytes(total))
    : '–'
