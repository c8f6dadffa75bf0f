import { useResource } from '../../data/cache.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { t } from '../../text/text.ts'
import { StackLogs } from '../logs/stack-logs.tsx'
import { StackPage } from '../stack/stack-page.tsx'

/** The merged logs of the services of a stack. */
export default function Logs() {
  return <StackPage isFull>{({ name }) => <LogsOf name={name} />}</StackPage>
}

function LogsOf({ name }: { name: string }) {
  const status = useResource('/stacks/{name}/status', { name })
  // A log on the page goes on, whatever becomes of the list of services.
  const problem = { value: status.value.value ? undefined : status.problem.value }
  return (
    <Loaded of={{ ...status, problem }} what={t.logs.what} failed={t.logs.failed}>
      {(rows) => (
        <StackLogs name={name} services={[...new Set(rows.map(({ service }) => service))]} />
      )}
    </Loaded>
  )
}
