import { useMemo } from 'preact/hooks'
import { lastLines } from '../../data/container-log.ts'
import type { ContainerDetails } from '../../data/containers.ts'
import { t } from '../../text/text.ts'
import type { LogSource } from '../logs/log-feed.ts'
import type { LogLine } from '../logs/log-ring.ts'
import { LogView } from '../logs/log-view.tsx'

/** Past lines that are read first. */
const tail = 1000

/** The log of a container. Continues when the container is started again. */
export function ContainerLogs({ container }: { container: ContainerDetails }) {
  const { id, host_id, name, state, started_at } = container
  const sources = useMemo(
    (): LogSource[] => [{ path: '/ws/logs/{id}', params: { id, host: host_id, tail } }],
    [id, host_id],
  )
  const past = async (): Promise<LogLine[]> => {
    const lines = await lastLines(container, tail)
    return lines.map(({ time, line, stream }) => ({ time, text: line, source: '', kind: stream }))
  }
  return (
    <LogView
      label={t.logs.of(name)}
      sources={sources}
      file={name}
      past={past}
      run={state === 'running' ? (started_at ?? undefined) : undefined}
    />
  )
}
