import { useSignal } from '@preact/signals'
import { Eye, EyeOff } from 'lucide'
import { can } from '../../data/session.ts'
import { Button } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'

interface Pair {
  name: string
  value: string | undefined
}

/** The environment of a container. Its values are shown on request, to readers who may. */
export function Environment({ env }: { env: readonly string[] }) {
  const isShown = useSignal(false)
  const words = t.container
  const mayRead = can('containers:secrets')
  const rows = env.map((line): Pair => {
    const at = line.indexOf('=')
    return at < 0
      ? { name: line, value: undefined }
      : { name: line.slice(0, at), value: line.slice(at + 1) }
  })
  const columns: Column<Pair>[] = [
    {
      key: 'name',
      label: words.variable,
      width: '40%',
      sort: ({ name }) => name,
      cell: ({ name }) => <code>{name}</code>,
    },
    {
      key: 'value',
      label: words.value,
      isMinor: true,
      cell: ({ value }) =>
        value !== undefined && isShown.value ? (
          <code title={value}>{value}</code>
        ) : (
          <span class="masked">{words.hidden}</span>
        ),
    },
  ]
  const toggle = mayRead && rows.length > 0 && (
    <Button
      kind="quiet"
      icon={isShown.value ? EyeOff : Eye}
      onClick={() => {
        isShown.value = !isShown.value
      }}
    >
      {isShown.value ? words.hideValues : words.showValues}
    </Button>
  )
  return (
    <Panel title={words.environment} actions={toggle} isFlush>
      {rows.length === 0 ? (
        <p class="panel-note">{words.noEnvironment}</p>
      ) : (
        <Table
          label={words.environment}
          columns={columns}
          rows={rows}
          rowKey={({ name }) => name}
        />
      )}
      {!mayRead && rows.length > 0 && <p class="panel-note">{words.hiddenWhy}</p>}
    </Panel>
  )
}
