import { useSignal } from '@preact/signals'
import { CircleX, Undo2 } from 'lucide'
import { useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { useResource } from '../../data/cache.ts'
import { hasChanges } from '../../data/has-changes.ts'
import { can } from '../../data/session.ts'
import {
  cancelDeployment,
  type Deployment,
  type StackDetails,
} from '../../data/stack-operations.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { usePalette } from '../../frame/palette-state.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { besideNotices } from './beside-notices.ts'
import { DeploymentDuration } from './deployment-duration.tsx'
import { DeploymentState } from './deployment-state.tsx'
import { DeploymentSteps } from './deployment-steps.tsx'
import { FileDiffs } from './file-diffs.tsx'
import { countsOf } from './follow-deploy.ts'
import { isSuccessfulDeploy } from './is-successful-deploy.ts'
import { RollBack } from './roll-back.tsx'
import { SourceVersion } from './source-version.tsx'
import { useDeployment } from './use-deployment.ts'
import { useTargetRevision } from './use-target-revision.ts'

/** A deployment: its progress or result, its steps by service, and what can be done now. */
export function DeploymentView({ stack, id }: { stack: StackDetails; id: string }) {
  const { name } = stack
  const read = useDeployment(name, id)
  return (
    <Loaded of={read} what={t.stack.theDeployment} failed={t.stack.noDeployment}>
      {(deployment) => <Content stack={stack} deployment={deployment} />}
    </Loaded>
  )
}

function Content({ stack, deployment }: { stack: StackDetails; deployment: Deployment }) {
  const { error, warnings, steps, status } = deployment
  return (
    <>
      <Head stack={stack} deployment={deployment} />
      {error !== null && (
        <Problem title={t.stack.deploymentStates[status]} error={error}>
          <p>{t.stack.failedNext}</p>
        </Problem>
      )}
      {besideNotices(warnings, stack, String).map((warning) => (
        <p key={warning} class="plan-warning">
          <State of="attention" word={t.stack.warning} />
          <span>{warning}</span>
        </p>
      ))}
      <DeploymentSteps steps={steps} isRunning={status === 'running'} />
      <Changes name={stack.name} deployment={deployment} />
    </>
  )
}

function Head({ stack, deployment }: { stack: StackDetails; deployment: Deployment }) {
  const { name } = stack
  const { id, kind, status, by, started_at, environment, revision, services, source } = deployment
  const isAsking = useSignal(false)
  const cancel = useMemo(
    () => act(cancelDeployment, { ended: () => t.stack.cancelled, failed: t.stack.notCancelled }),
    [id],
  )
  const mayDeploy = can('stacks:deploy')
  const isRunning = status === 'running'
  // Nothing has changed since the newest one.
  const isNewest = stack.last_deployment?.id === id && !hasChanges(stack)
  const canRollBack = mayDeploy && isSuccessfulDeploy(deployment) && !isNewest
  const ask = () => {
    isAsking.value = true
  }
  const stop = () => void cancel.run(name, id)
  usePalette(() => [
    ...(isRunning && mayDeploy ? [{ label: t.stack.cancel, icon: CircleX, run: stop }] : []),
    ...(canRollBack ? [{ label: t.stack.rollBackHere, icon: Undo2, run: ask }] : []),
  ])
  const counts = countsOf(deployment)
  const target = useTargetRevision(name, deployment)
  const at = `/stacks/${encodeURIComponent(name)}/deployments`
  return (
    <Panel
      title={
        services.length > 0 ? `${t.stack.kinds[kind]} ${services.join(', ')}` : t.stack.kinds[kind]
      }
      actions={
        <>
          {isRunning && mayDeploy && (
            <Button
              icon={CircleX}
              busy={
                (cancel.pending.value || cancel.result.value !== undefined) && t.stack.cancelling
              }
              onClick={stop}
            >
              {t.stack.cancel}
            </Button>
          )}
          {canRollBack && (
            <Button icon={Undo2} onClick={ask}>
              {t.stack.rollBackHere}
            </Button>
          )}
        </>
      }
    >
      <p class="deployment-line" role="status">
        <DeploymentState of={status} />
        {deployment.cause && <Badge>{t.stack.causes[deployment.cause]}</Badge>}
        <DeploymentDuration of={deployment} />
        {counts.length > 0 && <span>{counts.join(' · ')}</span>}
      </p>
      <Facts
        of={[
          [t.stack.by, by],
          [t.stack.startedAt, <Time key="at" at={started_at} />],
          [t.stack.revisionShort, revision],
          target !== undefined && [
            t.stack.backToShort,
            <Link key="to" href={`${at}/${deployment.rolled_back_to}`}>
              {t.stack.revision(target)}
            </Link>,
          ],
          environment !== null && [t.stack.overlay, environment],
          source !== null && [t.followed.source, source.source],
          source !== null && [t.followed.version, <SourceVersion key="version" of={source} />],
          source !== null && [t.followed.begun, t.followed.triggers[source.trigger]],
        ]}
      />
      {isAsking.value && (
        <RollBack
          name={name}
          to={deployment}
          onClose={() => {
            isAsking.value = false
          }}
        />
      )}
    </Panel>
  )
}

/** How the files differ from those of the deploy before. */
function Changes({
  name,
  deployment: { id, kind, started_at },
}: {
  name: string
  deployment: Deployment
}) {
  const { value } = useResource('/stacks/{name}/deployments', { name, until: started_at })
  if (kind !== 'deploy' && kind !== 'rollback') return null
  const before = value.value?.find((one) => isSuccessfulDeploy(one) && one.id !== id)
  if (!before) return null
  return (
    <Panel title={t.stack.filesSince}>
      <FileDiffs name={name} from={before.id} to={id} none={t.stack.sameFilesAsBefore} />
    </Panel>
  )
}
