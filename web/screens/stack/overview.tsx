import { ErrorBoundary as Loading } from 'preact-iso/lazy'
import { useResource } from '../../data/cache.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { lazy } from '../../frame/lazy.ts'
import { LastChanges } from './last-changes.tsx'
import { LiveDeployment } from './live-deployment.tsx'
import { LogTail } from './log-tail.tsx'
import { ServiceTroubleList } from './service-trouble-list.tsx'
import { Services } from './services.tsx'

const StackUpdates = lazy(() => import('./stack-updates.tsx'))
const StackJobs = lazy(() => import('./stack-jobs.tsx'))

/**
 * A stack at one glance: what is wrong, a deployment that runs, its services, updates, jobs, the
 * end of its log, and what changed last.
 */
export function Overview({ stack }: { stack: StackDetails }) {
  const { name, status } = stack
  const { value } = useResource('/stacks/{name}/status', { name })
  const rows = value.value ?? []
  const hasLog = status !== 'not_deployed' && status !== 'unknown'
  return (
    <>
      <ServiceTroubleList stack={stack} rows={rows} />
      <LiveDeployment stack={stack} rows={rows} />
      <Services stack={stack} />
      <Loading>
        <StackUpdates stack={name} />
      </Loading>
      <Loading>
        <StackJobs stack={name} />
      </Loading>
      <div class="overview">
        {hasLog && <LogTail name={name} />}
        <LastChanges stack={stack} />
      </div>
    </>
  )
}
