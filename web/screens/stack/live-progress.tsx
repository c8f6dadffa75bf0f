import { connection } from '../../data/events.ts'
import type { Deployment, StackDetails } from '../../data/stack-operations.ts'
import { Problem } from '../../parts/problem.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import { DeploymentDuration } from './deployment-duration.tsx'
import { DeploymentState } from './deployment-state.tsx'
import { durationText } from './duration-text.ts'
import { endWords, unchangedCount } from './end-line.ts'
import { countsOf } from './follow-deploy.ts'
import type { ServiceStatus } from './service-row.ts'

interface FailureProps {
  stack: StackDetails
  deployment: Deployment
}

interface ProgressProps {
  deployment: Deployment
  rows: readonly ServiceStatus[]
}

/** Why it failed, and what to do. */
export function Failure({ stack, deployment }: FailureProps) {
  return (
    <Problem title={endWords(deployment, '')} error={deployment.error ?? ''}>
      <p>{stack.deployed_at === null ? t.stack.failedNextFirst : t.stack.failedNext}</p>
      <p class="deployment-line quiet-text">
        <StepCount of={deployment} />
        <DeploymentDuration of={deployment} />
      </p>
    </Problem>
  )
}

/** How far it is, or how it ended: "Deployed in 4.2 s · 2 recreated · 4 unchanged". */
export function Progress({ deployment, rows }: ProgressProps) {
  const { status } = deployment
  const isLive = connection.value.state === 'live'
  if (status === 'succeeded') return <Success deployment={deployment} rows={rows} />
  const isUnknown = status === 'running' && !isLive
  return (
    <p class="deployment-line">
      <span role="status">
        {isUnknown ? (
          <State of="unknown" word={t.stack.mayHaveEnded} />
        ) : (
          <DeploymentState of={status} />
        )}
      </span>
      <StepCount of={deployment} />
      {!isUnknown && <DeploymentDuration of={deployment} />}
    </p>
  )
}

function StepCount({ of: { steps } }: { of: Deployment }) {
  if (steps.length === 0) return null
  const done = steps.filter(({ status }) => status === 'done').length
  return <span class="figures">{t.stack.stepsDone(done, steps.length)}</span>
}

function Success({ deployment, rows }: ProgressProps) {
  const unchanged = unchangedCount(deployment, rows)
  const counts = [...countsOf(deployment), ...(unchanged > 0 ? [t.stack.unchanged(unchanged)] : [])]
  return (
    <p class="deployment-line" role="status">
      <State of="running" word={endWords(deployment, durationText(deployment))} />
      {counts.length > 0 && <span>{counts.join(' · ')}</span>}
    </p>
  )
}
