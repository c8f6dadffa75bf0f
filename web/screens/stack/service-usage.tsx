import { useComputed } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useResource } from '../../data/cache.ts'
import type { HostId } from '../../host-ids.ts'
import { formatBytes } from '../../parts/format-bytes.ts'
import { numberFormat } from '../../parts/formats.ts'
import { Sparkline } from '../../parts/sparkline.tsx'
import { t } from '../../text/text.ts'
import { usePageSeen } from './use-page-seen.ts'

interface UsageProps {
  /** Id of the container. */
  id: string
  host: HostId
}

/** Samples are taken every 15 s unless the service is configured otherwise. */
const pace = 15_000
/** Samples in a line: a quarter of an hour. */
const shownMax = 60

/** Reads the last samples of a container while it is shown. */
function useSamples({ id, host }: UsageProps) {
  const { value, reload } = useResource('/containers/{id}/metrics', { id, host })
  const isSeen = usePageSeen()
  const wasHidden = useRef(false)
  useEffect(() => {
    if (!isSeen) {
      wasHidden.current = true
      return undefined
    }
    // What a reader comes back to is not as old as the last look at it.
    if (wasHidden.current) void reload()
    const timer = setInterval(() => void reload(), pace)
    return () => clearInterval(timer)
  }, [reload, isSeen])
  return useComputed(() => (value.value ?? []).slice(-shownMax))
}

/** The processor time and memory of a container: now, and in the last quarter of an hour. */
export function Usage(props: UsageProps) {
  const samples = useSamples(props).value
  const cpu = samples.flatMap(({ cpu_percent }) => cpu_percent ?? [])
  const memory = samples.map((sample) => sample.memory)
  const [now, used] = [cpu.at(-1), memory.at(-1)]
  if (used === undefined) return null
  return (
    <span class="usage">
      {now === undefined ? (
        <>
          <span />
          <span />
        </>
      ) : (
        <Line
          values={cpu}
          max={Math.max(10, ...cpu)}
          figure={percent(now)}
          label={t.stack.cpuNow}
        />
      )}
      <Line
        values={memory}
        max={Math.max(...memory) * 2}
        figure={formatBytes(used)}
        label={t.stack.memoryNow}
      />
    </span>
  )
}

interface LineProps {
  values: readonly number[]
  max: number
  figure: string
  label: (figure: string) => string
}

const Line = ({ values, max, figure, label }: LineProps) => (
  <>
    <Sparkline label={label(figure)} values={values} max={max} width={40} />
    <span class="usage-figure">{figure}</span>
  </>
)

const percent = (value: number) => `${numberFormat(1).format(value)} %`
