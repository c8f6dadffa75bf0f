import { useComputed } from '@preact/signals'
import { useResource } from '../../data/cache.ts'
import { hasChanges } from '../../data/has-changes.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { Notices } from '../../frame/notices.tsx'
import { Link } from '../../parts/link.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'

/** Returns whether to show the failure. The page of the deployment shows it itself. */
const showsFailure = ({ last_deployment: last }: StackDetails, path: string) =>
  (last?.status === 'failed' || last?.status === 'interrupted') &&
  !path.endsWith(`/deployments/${last.id}`)

/** Returns whether to show the drift. The pages of the drift and of the plan show it themselves. */
const showsDrift = ({ drift }: StackDetails, path: string) =>
  drift.length > 0 && !/\/(drift|deploy)$/.test(path)

/** Returns whether to show the changes. The pages of the plan and of a deployment show them. */
const showsChanges = (stack: StackDetails, path: string) =>
  hasChanges(stack) && !/\/(deploy|deployments\/[^/]+)$/.test(path)

/** Returns whether a stack has something to report above its tabs. */
export const hasNotices = (stack: StackDetails, path: string): boolean =>
  stack.operation !== null ||
  showsFailure(stack, path) ||
  showsDrift(stack, path) ||
  showsChanges(stack, path) ||
  stack.warnings.length > 0

/** What each tab of a stack reports: its operation, a failure, changes, drift and warnings. */
export function StackNotices({ stack, path }: { stack: StackDetails; path: string }) {
  const { name, operation, last_deployment: last, drift, warnings } = stack
  const at = `/stacks/${encodeURIComponent(name)}`
  if (!hasNotices(stack, path)) return null
  return (
    <Notices>
      {operation !== null && (
        <p>
          <State of="working" word={t.stack.doing[operation]} />
          {last?.status === 'running' && <Progress name={name} id={last.id} />}
        </p>
      )}
      {operation === null && last && showsFailure(stack, path) && (
        <p>
          <State of="failed" word={t.stack.lastFailed[last.status as 'failed']} />
          {last.finished_at !== null && <Time at={last.finished_at} />}
          {last.error !== null && <span class="stack-error">{last.error}</span>}
          <Link href={`${at}/deployments/${last.id}`}>{t.stack.show}</Link>
        </p>
      )}
      {showsChanges(stack, path) && (
        <p>
          <State of="attention" word={t.stack.changed} />
          <Link href={`${at}/deploy`}>{t.stack.showPlan(name)}</Link>
        </p>
      )}
      {showsDrift(stack, path) && (
        <p>
          <State of="attention" word={t.stack.drifted(drift.length)} />
          <Link href={`${at}/drift`}>{t.stack.show}</Link>
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning}>
          <State of="attention" word={warning} />
        </p>
      ))}
    </Notices>
  )
}

/** How far a deployment is, with a link to it. */
function Progress({ name, id }: { name: string; id: string }) {
  const { value } = useResource('/stacks/{name}/deployments/{id}', { name, id })
  const count = useComputed(() => {
    const steps = value.value?.steps ?? []
    const done = steps.filter(({ status }) => status === 'done').length
    return steps.length === 0 ? '' : t.stack.stepsDone(done, steps.length)
  })
  return (
    <>
      <span class="figures">{count}</span>
      <Link href={`/stacks/${encodeURIComponent(name)}/deployments/${id}`}>{t.stack.follow}</Link>
    </>
  )
}
