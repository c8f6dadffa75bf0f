import { useMemo } from 'preact/hooks'
import { useResource } from '../../data/cache.ts'
import { can } from '../../data/session.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { useQuery } from '../../frame/address.ts'
import { Empty } from '../../parts/empty.tsx'
import { LinkButton } from '../../parts/link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { serviceColumns } from './service-columns.tsx'
import { ServiceDetail } from './service-detail.tsx'
import { ServiceMenu } from './service-menu.tsx'
import { rowKeyOf, type ServiceStatus } from './service-row.ts'

/** The containers of a stack by service, with what each uses and what can be done to it. */
export function Services({ stack }: { stack: StackDetails }) {
  const { name } = stack
  const { value, problem, reload } = useResource('/stacks/{name}/status', { name })
  const [selected, select] = useQuery('service')
  const rows = value.value
  const open = rows?.find((row) => rowKeyOf(row) === selected)
  const at = `/stacks/${encodeURIComponent(name)}`
  const hrefOf = (row: ServiceStatus) => `${at}?service=${encodeURIComponent(rowKeyOf(row))}`
  const columns = useMemo(
    () => serviceColumns({ host: stack.host, hasUsage: can('containers:read'), hrefOf }),
    [stack.host, name],
  )
  if (!rows && problem.value)
    return <Problem title={t.stack.noStatus} {...problem.value} onRetry={() => void reload()} />
  if (!rows) return <Skeleton what={t.stack.theServices} />
  if (rows.length === 0)
    return (
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
  return (
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
  )
}
