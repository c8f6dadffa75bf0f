import type { Deployment } from '../../data/stack-operations.ts'
import { formatBytes } from '../../parts/format-bytes.ts'
import { lengthOf } from '../../parts/format-time.ts'
import { Meter } from '../../parts/meter.tsx'
import { t } from '../../text/text.ts'
import { actionWord } from './action-word.ts'
import { combinedStatus } from './combined-status.ts'
import { StepState } from './deployment-state.tsx'
import { changesOf, type PlannedChange } from './plan-changes.ts'
import { stepToShow } from './step-to-show.ts'

type Step = Deployment['steps'][number]

interface StepListProps {
  steps: readonly Step[]
  /** What is said of the failure beside the list. */
  known: string
}

/** The things that a deployment changes, a line for each with the step it is at. */
export function StepList({ steps, known }: StepListProps) {
  if (steps.length === 0) return null
  return (
    <ol class="step-list" aria-label={t.stack.steps}>
      {changesOf(steps).map((change) => (
        <StepLine key={`${change.kind} ${change.name}`} change={change} known={known} />
      ))}
    </ol>
  )
}

interface StepLineProps extends Pick<StepListProps, 'known'> {
  change: PlannedChange<Step>
}

function StepLine({ change: { kind, name, steps }, known }: StepLineProps) {
  const status = combinedStatus(steps)
  const step = stepToShow(steps)
  const ms = steps.reduce((sum, one) => sum + (one.ms ?? 0), 0)
  return (
    <li class={`step ${status}`}>
      <StepState of={status} isShort />
      <span class="step-subject">
        <span class="kind-of">{kind}</span> <code title={name}>{name}</code>
      </span>
      <span class="step-now" title={step.reason}>
        <span class="step-action">{actionWord(step.action)}</span>{' '}
        {step.status === 'running' && step.progress ? (
          <Downloaded of={step.progress} image={name} />
        ) : (
          <span class="step-reason">{step.reason}</span>
        )}
      </span>
      <span class="figures">{ms > 0 && lengthOf(ms)}</span>
      {step.error !== null && !known.includes(step.error) && <p class="step-error">{step.error}</p>}
    </li>
  )
}

interface DownloadedProps {
  of: NonNullable<Step['progress']>
  image: string
}

/** How much of an image is downloaded. */
const Downloaded = ({ of: { current, total }, image }: DownloadedProps) => (
  <Meter label={image} value={total === 0 ? 0 : current / total} isBare isProgress>
    {t.home.of(formatBytes(current), formatBytes(total))}
  </Meter>
)
