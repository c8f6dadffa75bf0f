import type { ContainerDetails } from '../../data/containers.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { formatBytes } from '../../parts/format-bytes.ts'
import { numberFormat } from '../../parts/formats.ts'
import { Meter } from '../../parts/meter.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { t } from '../../text/text.ts'
import { ratesOf } from './rates.ts'
import { type Stats, useStats } from './use-stats.ts'

/** What a running container uses, each second. */
export function Usage({ container }: { container: ContainerDetails }) {
  const { values, problem } = useStats(container, true)
  return (
    <Loaded
      of={{ value: { value: values.value.at(-1) }, problem }}
      what={t.container.chartsWhat}
      failed={t.container.feedFailed}
      rows={2}
    >
      {(last) => <Figures values={values.value} last={last} />}
    </Loaded>
  )
}

function Figures({ values, last }: { values: readonly Stats[]; last: Stats }) {
  const words = t.container
  const percent = `${number(last.cpu_percent)} %`
  const memory = words.used(formatBytes(last.memory), formatBytes(last.memory_limit))
  const rate = (counter: Parameters<typeof ratesOf>[1]) => ratesOf(values, counter)
  return (
    <div class="container-usage">
      <div class="container-figure">
        <Meter label={words.cpu} value={last.cpu_percent / 100 / last.cpus}>
          {percent}
        </Meter>
        <Sparkline
          label={`${words.cpu}, ${percent}`}
          values={values.map(({ cpu_percent }) => cpu_percent)}
        />
      </div>
      <div class="container-figure">
        <Meter label={words.memory} value={last.memory_percent / 100}>
          {memory}
        </Meter>
        <Sparkline label={`${words.memory}, ${memory}`} values={values.map((one) => one.memory)} />
      </div>
      <Rate name={words.received} values={rate('network_rx')} />
      <Rate name={words.sent} values={rate('network_tx')} />
      <Rate name={words.read} values={rate('block_read')} />
      <Rate name={words.write} values={rate('block_write')} />
    </div>
  )
}

function Rate({ name, values }: { name: string; values: readonly (number | null)[] }) {
  const words = t.container.perSecond(formatBytes(values.at(-1) ?? 0))
  return (
    <div class="container-figure rate">
      <span class="container-figure-name">{name}</span>
      <span>{words}</span>
      <Sparkline label={`${name}, ${words}`} values={values.map((value) => value ?? 0)} />
    </div>
  )
}

const number = (value: number) => numberFormat(value < 10 ? 1 : 0).format(value)
