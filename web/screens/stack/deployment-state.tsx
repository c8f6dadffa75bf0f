import type { Deployment } from '../../data/stack-operations.ts'
import { State, type StateName } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

const states: Readonly<Record<Deployment['status'], StateName>> = {
  running: 'working',
  succeeded: 'running',
  failed: 'failed',
  interrupted: 'attention',
}

/** How a deployment is or has ended. */
export const DeploymentState = ({ of: status }: { of: Deployment['status'] }) => (
  <State of={states[status]} word={t.stack.deploymentStates[status]} />
)

const stepStates: Readonly<Record<Deployment['steps'][number]['status'], StateName>> = {
  pending: 'stopped',
  running: 'working',
  done: 'running',
  failed: 'failed',
  skipped: 'stopped',
}

type StepStatus = Deployment['steps'][number]['status']

/** How a step is or has ended. */
export const StepState = ({ of: status, isShort }: { of: StepStatus; isShort?: boolean }) => (
  <State of={stepStates[status]} word={t.stack.stepStates[status]} isShort={isShort ?? false} />
)
