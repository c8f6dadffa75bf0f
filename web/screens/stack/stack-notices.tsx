import { useComputed } from '@preact/signals'
import { useResource } from '../../data/cache.ts'
import { hasChanges } from '../../data/has-changes.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { Notices } from '../../frame/notices.tsx'
import { Link } from '../../parts/link.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { runningId } from './running-id.ts'

/** Where the notices are. */
export interface NoticePlace {
  path: string
  /** The deployment that the first tab follows. */
  followed?: string | undefined
}

const isFirstTab = (path: string) => /^\/stacks\/[^/]+$/.test(path)

/** Returns whether to show the operation. The first tab shows the steps of some itself. */
const showsOperation = (stack: StackDetails, { path }: NoticePlace) =>
  stack.operation !== null && !(isFirstTab(path) && runningId(stack) !== undefined)

/** Returns whether to show the failure. Pages that show the deployment say it themselves. */
const showsFailure = (
  { operation, last_deployment: last }: StackDetails,
  { path, followed }: NoticePlace,
) =>
  operation === null &&
  (last?.status === 'failed' || last?.status === 'interrupted') &&
  !path.endsWith(`/deployments/${last.id}`) &&
  !(isFirstTab(path) && followed === last.id)

/** Returns whether to show the drift. The pages of the drift and of the plan show it themselves. */
const showsDrift = ({ drift }: StackDetails, { path }: NoticePlace) =>
  drift.length > 0 && !/\/(drift|deploy)$/.test(path)

/** Returns whether to show the changes. The first tab, the plan and a deployment show them. */
const showsChanges = (stack: StackDetails, { path }: NoticePlace) =>
  hasChanges(stack) && !isFirstTab(path) && !/\/(deploy|deployments\/[^/]+)$/.test(path)

/** Returns whether to show that a set of variables changed. The plan shows what that changes. */
const showsVariables = ({ operation, variables_changed }: StackDetails, { path }: NoticePlace) =>
  operation === null && variables_changed && !/\/deploy$/.test(path)

/** Returns whether a stack has something to report above its tabs. */
export const hasNotices = (stack: StackDetails, place: NoticePlace): boolean =>
  showsOperation(stack, place) ||
  showsFailure(stack, place) ||
  showsDrift(stack, place) ||
  showsChanges(stack, place) ||
  showsVariables(stack, place) ||
  stack.warnings.length > 0

/** What each tab of a stack reports: its operation, a failure, changes, drift and warnings. */
export function StackNotices({ stack, place }: { stack: StackDetails; place: NoticePlace }) {
  const { name, operation, last_deployment: last, drift, warnings } = stack
  const at = `/stacks/${encodeURIComponent(name)}`
  if (!hasNotices(stack, place)) return null
  return (
    <Notices>
      {operation !== null && showsOperation(stack, place) && (
        <p>
          <State of="working" word={t.stack.doing[operation]} />
          {last?.status === 'running' && <Progress name={name} id={last.id} />}
        </p>
      )}
      {last && showsFailure(stack, place) && (
        <p>
          <State of="failed" word={t.stack.lastFailed[last.status as 'failed']} />
          {last.finished_at !== null && <Time at={last.finished_at} />}
          {last.error !== null && <span class="stack-error">{last.error}</span>}
          <Link href={`${at}/deployments/${last.id}`}>{t.stack.show}</Link>
        </p>
      )}
      {showsChanges(stack, place) && (
        <p>
          <State of="attention" word={t.stack.changed} />
          <Link href={`${at}/deploy`}>{t.stack.showPlan(name)}</Link>
        </p>
      )}
      {showsVariables(stack, place) && (
        <p>
          <State of="attention" word={t.stack.variablesChanged} />
          <Link href={`${at}/deploy`}>{t.stack.showPlan(name)}</Link>
        </p>
      )}
      {showsDrift(stack, place) && (
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
