import { useResource } from '../../data/cache.ts'
import { ownEntry } from '../../data/own-entry.ts'
import { Badge } from '../../parts/badge.tsx'
import type { Column } from '../../parts/columns.ts'
import { isPhone } from '../../parts/phone.ts'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import type { Change, PlannedChange } from './plan-changes.ts'
import { imagesIn } from './resolved-model.ts'
import type { ServiceStatus } from './service-row.ts'

interface PlanTableProps {
  label: string
  changes: readonly PlannedChange[]
  stack: string
  /** The containers that there are. */
  rows: readonly ServiceStatus[]
}

const kinds: Readonly<Record<Change, Parameters<typeof Badge>[0]['kind']>> = {
  create: 'running',
  recreate: 'attention',
  remove: 'failed',
  restart: 'working',
  start: 'running',
  stop: 'plain',
  fetch: 'working',
  write: 'plain',
  other: 'plain',
}

/** What happens to each thing, and why. */
export function PlanTable({ label, changes, stack, rows }: PlanTableProps) {
  const { value } = useResource('/stacks/{name}/config', { name: stack })
  const images = imagesIn(value.value)
  const why = (change: PlannedChange) => {
    const row = rows.find(({ name }) => name === change.name)
    return <Why change={change} before={row?.image} after={row && ownEntry(images, row.service)} />
  }
  const columns: Column<PlannedChange>[] = [
    {
      key: 'change',
      label: t.stack.change,
      width: '104px',
      sort: ({ change }) => change,
      cell: ({ change }) => (
        <Badge kind={kinds[change] ?? 'plain'}>{t.stack.changes[change]}</Badge>
      ),
    },
    {
      key: 'name',
      label: t.stack.what,
      sort: ({ name }) => name,
      cell: (change) => (
        <>
          {change.kind !== 'container' && <span class="kind-of">{change.kind} </span>}
          <code title={change.name}>{change.name}</code>
          {isPhone.value && <div class="plan-below">{why(change)}</div>}
        </>
      ),
    },
    {
      key: 'why',
      label: t.stack.why,
      cell: why,
    },
  ]
  return (
    <Table
      label={label}
      // A phone has the reason below the name.
      columns={isPhone.value ? columns.filter(({ key }) => key !== 'why') : columns}
      rows={changes}
      rowKey={({ kind, name }) => `${kind} ${name}`}
    />
  )
}

interface WhyProps {
  change: PlannedChange
  before?: string | null | undefined
  after?: string | undefined
}

/** Why something is changed: the fields, and the image before and after where that differs. */
function Why({ change, before, after }: WhyProps) {
  const { reason, fields } = change
  const isNewImage = before && after && before !== after
  return (
    <span class="plan-why">
      {isNewImage && (
        <span class="plan-image">
          <del>{before}</del> → <ins>{after}</ins>
        </span>
      )}
      {fields.length === 0 ? (
        <span>{reason}</span>
      ) : (
        fields
          .filter((field) => !(isNewImage && field === 'image'))
          .map((field) => <Badge key={field}>{field}</Badge>)
      )}
    </span>
  )
}
