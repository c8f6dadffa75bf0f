import type { AdoptedStack } from '../../../../data/send-folder.ts'
import { servicesUp } from '../../../../data/stack-words.ts'
import type { Column } from '../../../../parts/columns.ts'
import { LinkButton } from '../../../../parts/link.tsx'
import { Panel } from '../../../../parts/panel.tsx'
import { State } from '../../../../parts/state.tsx'
import { Table } from '../../../../parts/table.tsx'
import { t } from '../../../../text/text.ts'

type Difference = AdoptedStack['differences'][number]

/** A project that has become a stack, and what its next deploy would change. */
export function Adopted({ stack }: { stack: AdoptedStack }) {
  const { name, services, differences, warnings } = stack
  return (
    <div class="new-stack">
      <p role="status">
        <State
          of="running"
          word={t.newStack.adoptedWith(name, servicesUp(services), services.total)}
        />
      </p>
      {warnings.map((warning) => (
        <State key={warning} of="attention" word={warning} />
      ))}
      {differences.length > 0 && (
        <Panel title={t.newStack.nextDeploy} isFlush>
          <Table
            label={t.newStack.nextDeploy}
            columns={columns()}
            rows={differences}
            rowKey={({ service, field }) => `${service} ${field}`}
          />
        </Panel>
      )}
      <div class="new-stack-actions">
        <LinkButton href={`/stacks/${name}`} kind="primary">
          {t.newStack.open(name)}
        </LinkButton>
      </div>
    </div>
  )
}

const shown = (value: string | null) => (value === null ? '–' : <code>{value}</code>)

const columns = (): Column<Difference>[] => [
  { key: 'service', label: t.newStack.service, width: '140px', cell: ({ service }) => service },
  { key: 'field', label: t.newStack.field, width: '140px', cell: ({ field }) => field },
  { key: 'running', label: t.newStack.running, cell: ({ running }) => shown(running) },
  { key: 'bundle', label: t.newStack.inFiles, cell: ({ bundle }) => shown(bundle) },
]
