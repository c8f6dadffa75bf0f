import type { Deployment } from '../../data/stack-operations.ts'
import { Empty } from '../../parts/empty.tsx'
import { lengthOf } from '../../parts/format-time.ts'
import { t } from '../../text/text.ts'
import { actionWord } from './action-word.ts'
import { combinedStatus } from './combined-status.ts'
import { StepState } from './deployment-state.tsx'
import { changesOf, type PlannedChange } from './plan-changes.ts'

type Step = Deployment['steps'][number]

interface DeploymentStepsProps {
  steps: readonly Step[]
  isRunning: boolean
}

/** The steps of a deployment by what they are about: each container, image, network and volume. */
export function DeploymentSteps({ steps, isRunning }: DeploymentStepsProps) {
  if (steps.length === 0)
    return isRunning ? null : <Empty title={t.stack.noSteps}>{t.stack.upToDateWhy}</Empty>
  return (
    <ol class="steps">
      {changesOf(steps).map((change) => (
        <StepGroup key={`${change.kind} ${change.name}`} change={change} />
      ))}
    </ol>
  )
}

function StepGroup({ change }: { change: PlannedChange<Step> }) {
  const { kind, name, steps } = change
  const status = combinedStatus(steps)
  const ms = steps.reduce((sum, step) => sum + (step.ms ?? 0), 0)
  return (
    <li class={`step-group ${status}`}>
      <div class="step-head">
        <StepState of={status} isShort />
        <span class="kind-of">{kind}</span>
        <code title={name}>{name}</code>
        <span class="figures">{ms > 0 && lengthOf(ms)}</span>
      </div>
      <ol>
        {steps.map((step, index) => (
          <li key={index} class={`step ${step.status}`}>
            <StepState of={step.status} isShort />
            <span class="step-action">{actionWord(step.action)}</span>
            <span class="step-reason" title={step.reason}>
              {/* Said once, where the steps of a container all have it. */}
              {step.reason !== steps[index - 1]?.reason && step.reason}
            </span>
            <span class="figures">{step.ms !== null && lengthOf(step.ms)}</span>
            {step.error !== null && <p class="step-error">{step.error}</p>}
          </li>
        ))}
      </ol>
    </li>
  )
}
