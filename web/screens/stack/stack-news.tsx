import { useComputed } from '@preact/signals'
import { useResource } from '../../data/cache.ts'
import { hasChanges } from '../../data/has-changes.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { Link } from '../../parts/link.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'

/** The page of the deployment shows it itself. */
const tellsFailure = ({ last_deployment: last }: StackDetails, path: string) =>
  (last?.status === 'failed' || last?.status === 'interrupted') &&
  !path.endsWith(`/deployments/${last.id}`)

/** The pages of the drift and of the plan show it themselves. */
const tellsDrift = ({ drift }: StackDetails, path: string) =>
  drift.length > 0 && !/\/(drift|deploy)$/.test(path)

/** The pages of the plan and of a deployment show it themselves. */
const tellsChanges = (stack: StackDetails, path: string) =>
  hasChanges(stack) && !/\/(deploy|deployments\/[^/]+)$/.test(path)

/** Returns whether there is anything that the tabs of a stack have to say. */
export const hasNews = (stack: StackDetails, path: string): boolean =>
  stack.operation !== null ||
  tellsFailure(stack, path) ||
  tellsDrift(stack, path) ||
  tellsChanges(stack, path) ||
  stack.warnings.length > 0

/** What is going on with a stack, on each of its tabs: an operation, a failure, drift, warnings. */
export function StackNews({ stack, path }: { stack: StackDetails; path: string }) {
  const { name, operation, last_deployment: last, drift, warnings } = stack
  const at = `/stacks/${encodeURIComponent(name)}`
  if (!hasNews(stack, path)) return null
  return (
    <div class="stack-news" role="status">
      {operation !== null && (
        <p>
          <State of="working" word={t.stack.doing[operation]} />
          {last?.status === 'running' && <Progress name={name} id={last.id} />}
        </p>
      )}
      {operation === null && last && tellsFailure(stack, path) && (
        <p>
          <State of="failed" word={t.stack.lastFailed[last.status as 'failed']} />
          {last.finished_at !== null && <Time at={last.finished_at} />}
          {last.error !== null && <span class="stack-error">{last.error}</span>}
          <Link href={`${at}/deployments/${last.id}`}>{t.stack.show}</Link>
        </p>
      )}
      {tellsChanges(stack, path) && (
        <p>
          <State of="attention" word={t.stack.changed} />
          <Link href={`${at}/deploy`}>{t.stack.showPlan(name)}</Link>
        </p>
      )}
      {tellsDrift(stack, path) && (
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
    </div>
  )
}

/** How far a deployment is, with the way back to it. */
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
