import { useResource } from '../../data/cache.ts'
import { Problem } from '../../parts/problem.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { t } from '../../text/text.ts'
import { StackLogs } from '../logs/stack-logs.tsx'
import { StackPage } from '../stack/stack-page.tsx'

/** The merged logs of the services of a stack. */
export default function Logs() {
  return <StackPage isFull>{({ name }) => <LogsOf name={name} />}</StackPage>
}

function LogsOf({ name }: { name: string }) {
  const { value, problem, reload } = useResource('/stacks/{name}/status', { name })
  const rows = value.value
  if (rows)
    return <StackLogs name={name} services={[...new Set(rows.map(({ service }) => service))]} />
  if (!problem.value) return <Skeleton what={t.logs.what} />
  return <Problem title={t.logs.failed} {...problem.value} onRetry={() => void reload()} />
}
