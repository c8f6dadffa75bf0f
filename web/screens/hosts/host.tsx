import './hosts.css'
import { useRoute } from 'preact-iso/router'
import { useResource } from '../../data/cache.ts'
import { latestSample, type Measure, percentages } from '../../data/host-samples.ts'
import { type Host, useHostMetrics } from '../../data/hosts.ts'
import { can } from '../../data/session.ts'
import { useHostHistory } from '../../data/usage-history.ts'
import { go, useQuery } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Page } from '../../frame/page.tsx'
import { asHostId, type HostId } from '../../host-ids.ts'
import { Empty } from '../../parts/empty.tsx'
import { LinkButton } from '../../parts/link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Select } from '../../parts/select.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import { HistoryCharts, historyRanges } from '../containers/history-charts.tsx'
import { Gauge } from './gauge.tsx'
import { AgentFacts, EngineFacts } from './host-facts.tsx'
import { HostMenu } from './host-menu.tsx'
import { HostStacks } from './host-stacks.tsx'
import { HostState } from './host-state.tsx'
import { PrunePolicyPanel } from './prune-policy.tsx'

/** The page of a host: its problems, its load now and over days, its stacks and its facts. */
export default function HostPage() {
  const id = asHostId(useRoute().params.id ?? '')
  const host = useResource('/hosts/{id}', { id })
  // Another tab may have removed it.
  const isGone = host.problem.value?.status === 404
  const value = isGone ? undefined : host.value.value
  return (
    <Page
      title={value?.name ?? id}
      above={[{ href: '/hosts', label: t.frame.hosts }]}
      state={value && <HostState of={value} />}
      actions={value && <HostMenu host={value} onGone={() => go('/hosts')} />}
    >
      {isGone ? (
        <Empty
          title={t.hosts.noneSuch}
          action={<LinkButton href="/hosts">{t.hosts.toList}</LinkButton>}
        >
          {t.hosts.noneSuchWhy}
        </Empty>
      ) : (
        <Loaded of={host} what={id} failed={t.hosts.failedOne}>
          {(loaded) => <Content host={loaded} />}
        </Loaded>
      )}
    </Page>
  )
}

function Content({ host }: { host: Host }) {
  const { id, name, error, warning, status } = host
  return (
    <>
      {status === 'offline' && error && (
        <Problem title={t.hosts.unreachable(name)} error={error}>
          <p>{host.kind === 'agent' ? t.hosts.checkAgent : t.hosts.checkEngine}</p>
        </Problem>
      )}
      {warning && (
        <p class="host-warning">
          <State of="attention" word={warning} />
        </p>
      )}
      {status === 'online' && <Load id={id} />}
      <OverDays id={id} />
      <div class="host-columns">
        <EngineFacts host={host} />
        {host.agent && <AgentFacts host={host} agent={host.agent} />}
      </div>
      {can('images:read') && <PrunePolicyPanel host={host} />}
      {can('stacks:read') && <HostStacks host={host.id} />}
    </>
  )
}

function Load({ id }: { id: HostId }) {
  const metrics = useHostMetrics(id, 60, false)
  const measures: readonly Measure[] = ['cpu', 'memory', 'disk']
  return (
    <Panel title={t.hosts.lastHour}>
      <Loaded of={metrics} what={t.container.chartsWhat} failed={t.hosts.metricsFailed} rows={2}>
        {(samples) => (
          <div class="host-gauges">
            {measures.map((of) => (
              <div key={of}>
                <Gauge host={id} of={of} isFull />
                {latestSample(samples, of) && (
                  <Sparkline
                    label={t.hosts.overTime(t.hosts[of])}
                    values={percentages(samples, of)}
                    max={100}
                    width={280}
                    height={40}
                  />
                )}
              </div>
            ))}
          </div>
        )}
      </Loaded>
    </Panel>
  )
}

/** What the host used over days, also while it is offline. */
function OverDays({ id }: { id: HostId }) {
  const [asked, setAsked] = useQuery('range', '24h')
  const ranges = historyRanges()
  const range = ranges.find(({ value }) => value === asked)?.value ?? '24h'
  const history = useHostHistory(id, range)
  const choice = (
    <Select label={t.container.range} value={range} options={ranges} onChange={setAsked} isBare />
  )
  return (
    <Panel title={t.usage.title} actions={choice}>
      <HistoryCharts of={history} />
    </Panel>
  )
}
