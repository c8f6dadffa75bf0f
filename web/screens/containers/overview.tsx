import type { ContainerDetails } from '../../data/containers.ts'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { isFixed } from './is-fixed.ts'
import { Ports } from './ports.tsx'
import { publishedPorts } from './published-ports.ts'
import { Usage } from './usage.tsx'

/** What a container uses now, and what it is. */
export function Overview({ container }: { container: ContainerDetails }) {
  const { state } = container
  return (
    <>
      {isFixed(container) && <p class="quiet-text">{t.container.ofService}</p>}
      <Panel title={t.container.now}>
        {state === 'running' ? (
          <Usage container={container} />
        ) : (
          <Empty title={t.container.notRunning}>{t.container.notRunningUsage}</Empty>
        )}
      </Panel>
      <Panel title={t.container.facts}>
        <Facts of={factsOf(container)} />
      </Panel>
    </>
  )
}

type Fact = Parameters<typeof Facts>[0]['of'][number]

function factsOf(container: ContainerDetails): Fact[] {
  const { state, image, stack, service, host_name, ports, networks, mounts } = container
  const { started_at, finished_at, exit_code, health_output, restart_policy } = container
  const volumes = mounts.filter(({ type }) => type === 'volume').map(({ source }) => source)
  const isRunning = state === 'running'
  return [
    [t.container.image, <code key="image">{image}</code>],
    stack !== null && [
      t.container.stack,
      <Link key="stack" href={`/stacks/${stack}`}>
        {stack}
      </Link>,
    ],
    service !== null && [t.container.service, service],
    [t.container.host, host_name],
    isRunning && started_at !== null && [t.container.startedAt, <Time key="at" at={started_at} />],
    !isRunning &&
      finished_at !== null && [t.container.finishedAt, <Time key="at" at={finished_at} />],
    exit_code !== null && [t.container.exitCode, exit_code],
    health_output !== null && [t.container.failedCheck, health_output],
    [t.container.restartPolicy, restart_policy],
    publishedPorts(ports).length > 0 && [t.container.ports, <Ports key="ports" of={container} />],
    networks.length > 0 && [t.container.networks, networks.map(({ name }) => name).join(', ')],
    volumes.length > 0 && [t.container.mounts, volumes.join(', ')],
  ]
}
