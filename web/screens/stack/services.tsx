import { useMemo } from 'preact/hooks'
import { useResource } from '../../data/cache.ts'
import { can } from '../../data/session.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { useOverlay } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Empty } from '../../parts/empty.tsx'
import { LinkButton } from '../../parts/link.tsx'
import { isPhone } from '../../parts/phone.ts'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { serviceColumns } from './service-columns.tsx'
import { ServiceDetail } from './service-detail.tsx'
import { ServiceMenu } from './service-menu.tsx'
import { rowKeyOf, type ServiceStatus } from './service-row.ts'

/** The containers of a stack by service, with what each uses and what can be done to it. */
export function Services({ stack }: { stack: StackDetails }) {
  const { name } = stack
  const status = useResource('/stacks/{name}/status', { name })
  const [selected, select] = useOverlay('service', isPhone.value)
  const at = `/stacks/${encodeURIComponent(name)}`
  const hrefOf = (row: ServiceStatus) => `${at}?service=${encodeURIComponent(rowKeyOf(row))}`
  const columns = useMemo(
    () => serviceColumns({ host: stack.host, hasUsage: can('containers:read'), hrefOf }),
    [stack.host, name],
  )
  const open = status.value.value?.find((row) => rowKeyOf(row) === selected)
  return (
    <Loaded
      of={status}
      what={t.stack.theServices}
      failed={t.stack.noStatus}
      rows={Math.max(1, stack.services.total)}
      empty={<NoServices name={name} at={at} />}
    >
      {(rows) => (
        <>
          <Table
            label={t.stack.services}
            columns={columns}
            rows={rows}
            rowKey={rowKeyOf}
            href={hrefOf}
            selected={selected}
            actions={(row) => <ServiceMenu stack={stack} row={row} />}
          />
          {open && <ServiceDetail stack={stack} row={open} onClose={() => select('')} />}
        </>
      )}
    </Loaded>
  )
}

const NoServices = ({ name, at }: { name: string; at: string }) => (
  <Empty
    title={t.stack.empty}
    action={
      can('stacks:deploy') && (
        <LinkButton href={`${at}/deploy`}>{t.stack.showPlan(name)}</LinkButton>
      )
    }
  >
    {t.stack.emptyNext}
  </Empty>
)
