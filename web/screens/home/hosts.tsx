import type { components } from '../../data/api.types.ts'
import { useResource } from '../../data/cache.ts'
import { latestSample, type Measure } from '../../data/host-samples.ts'
import { usePolled } from '../../data/use-polled.ts'
import { Loaded } from '../../frame/loaded.tsx'
import type { HostId } from '../../host-ids.ts'
import { Empty } from '../../parts/empty.tsx'
import { formatBytes } from '../../parts/format-bytes.ts'
import { Link } from '../../parts/link.tsx'
import { Meter } from '../../parts/meter.tsx'
import { Panel } from '../../parts/panel.tsx'
import { State, type StateName } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

type Host = components['schemas']['Host']

/** Samples are taken this often at most. Milliseconds. */
const samplesEvery = 30_000

const measures: readonly Measure[] = ['cpu', 'memory', 'disk']

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
  const samples = value.value
  const [cpu, memory, disk] = measures.map((of) => latestSample(samples, of))
  const none = samples ? !(cpu ?? memory ?? disk) && t.home.noFigures : problem.value?.error
  return (
    <div class="home-figures">
      {/* Without figures they are hidden and keep their place: what is below does not move. */}
      <div class={none ? 'home-gauges hidden' : 'home-gauges'} aria-busy={samples === undefined}>
        <Meter label={t.home.cpu} value={share(cpu?.cpu_percent)}>
          {percent(cpu?.cpu_percent)}
        </Meter>
        <Meter label={t.home.memory} value={share(memory?.memory_percent)}>
          {ofTotal(memory?.memory, memory?.memory_total)}
        </Meter>
        <Meter label={t.home.disk} value={share(disk?.disk_percent)}>
          {ofTotal(disk?.disk, disk?.disk_total)}
        </Meter>
      </div>
      {none && <p class="home-why">{none}</p>}
    </div>
  )
}

const share = (value: number | null | undefined) => (value ?? 0) / 100
const percent = (value: number | null | undefined) =>
  typeof value === 'number' ? `${Math.round(value)} %` : '–'
const ofTotal = (used: number | null | undefined, total: number | null | undefined) =>
  typeof used === 'number' && typeof total === 'number'
    ? t.home.of(formatBytes(used), formatBytes(total))
    : '–'
