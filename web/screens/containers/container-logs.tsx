import { useMemo } from 'preact/hooks'
import type { ContainerDetails } from '../../data/containers.ts'
import { t } from '../../text/text.ts'
import type { LogSource } from '../logs/log-feed.ts'
import { LogView } from '../logs/log-view.tsx'

/** The log of a container. Continues when the container is started again. */
export function ContainerLogs({ container }: { container: ContainerDetails }) {
  const { id, host_id, name, state, started_at } = container
  const sources = useMemo(
    (): LogSource[] => [{ path: '/ws/logs/{id}', params: { id, host: host_id } }],
    [id, host_id],
  )
  return (
    <LogView
      label={t.logs.of(name)}
      sources={sources}
      file={name}
      run={state === 'running' ? (started_at ?? undefined) : undefined}
    />
  )
}
