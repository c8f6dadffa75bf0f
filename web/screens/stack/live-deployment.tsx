import { useSignal } from '@preact/signals'
import { ChevronDown, ChevronUp, CircleX, X } from 'lucide'
import { useEffect, useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { can } from '../../data/session.ts'
import {
  cancelDeployment,
  type Deployment,
  type StackDetails,
} from '../../data/stack-operations.ts'
import { useQuery } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { LinkButton } from '../../parts/link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import { besideNotices } from './beside-notices.ts'
import { Failure, Progress } from './live-progress.tsx'
import { runningId } from './running-id.ts'
import type { ServiceStatus } from './service-row.ts'
import { StepList } from './step-list.tsx'
import { useDeployment } from './use-deployment.ts'

interface LiveProps {
  stack: StackDetails
  rows: readonly ServiceStatus[]
}

/**
 * The deployment that runs, with its steps as they go, and then how it ended. The address names it,
 * so that a reload and another tab show the same.
 */
export function LiveDeployment({ stack, rows }: LiveProps) {
  const [asked, ask] = useQuery('deployment')
  const running = runningId(stack)
  useEffect(() => {
    if (running !== undefined && running !== asked) ask(running)
  }, [running])
  const close = () => {
    ask('')
    // The button that had the focus goes with the panel.
    document.querySelector<HTMLElement>('#content h1')?.focus()
  }
  const id = running ?? asked
  if (id === '') return null
  return <Followed key={id} stack={stack} id={id} rows={rows} onClose={close} />
}

interface FollowedProps extends LiveProps {
  id: string
  onClose: () => void
}

function Followed({ stack, id, rows, onClose }: FollowedProps) {
  const read = useDeployment(stack.name, id)
  // What is shown stays while it cannot be read again: its line says so.
  const problem = { value: read.value.value ? undefined : read.problem.value }
  return (
    <Loaded
      of={{ ...read, problem }}
      what={t.stack.theDeployment}
      failed={t.stack.noDeployment}
      rows={2}
    >
      {(deployment) => (
        <Content stack={stack} deployment={deployment} rows={rows} onClose={onClose} />
      )}
    </Loaded>
  )
}

interface ContentProps extends LiveProps {
  deployment: Deployment
  onClose: () => void
}

function Content({ stack, deployment, rows, onClose }: ContentProps) {
  const { status, services, kind, error, warnings, steps } = deployment
  const isRunning = status === 'running'
  // One that the page saw running stays open; one that had ended is a line.
  const isOpen = useSignal(isRunning || status === 'failed')
  const title = services.length > 0 ? services.join(', ') : stack.name
  return (
    <Panel
      title={`${t.stack.kinds[kind]} ${title}`}
      actions={
        <>
          {isRunning && can('stacks:deploy') && <Cancel deployment={deployment} />}
          <LinkButton href={recordOf(deployment)} kind="quiet">
            {t.stack.record}
          </LinkButton>
          <IconButton
            icon={isOpen.value ? ChevronUp : ChevronDown}
            label={isOpen.value ? t.stack.hideSteps : t.stack.showSteps}
            onClick={() => {
              isOpen.value = !isOpen.value
            }}
          />
          {!isRunning && <IconButton icon={X} label={t.parts.close} onClick={onClose} />}
        </>
      }
    >
      <div class="live-deployment">
        {status === 'failed' ? (
          <Failure stack={stack} deployment={deployment} />
        ) : (
          <Progress deployment={deployment} rows={rows} />
        )}
        {status === 'interrupted' && error !== null && <p>{error}</p>}
        {besideNotices(warnings, stack, String).map((warning) => (
          <p key={warning} class="plan-warning">
            <State of="attention" word={t.stack.warning} />
            <span>{warning}</span>
          </p>
        ))}
        {isOpen.value && <StepList steps={steps} known={error ?? ''} />}
      </div>
    </Panel>
  )
}

function Cancel({ deployment: { stack, id } }: { deployment: Deployment }) {
  const cancel = useMemo(
    () => act(cancelDeployment, { ended: () => t.stack.cancelled, failed: t.stack.notCancelled }),
    [id],
  )
  return (
    <Button
      icon={CircleX}
      busy={(cancel.pending.value || cancel.result.value !== undefined) && t.stack.cancelling}
      onClick={() => void cancel.run(stack, id)}
    >
      {t.stack.cancel}
    </Button>
  )
}

const recordOf = ({ stack, id }: Deployment) =>
  `/stacks/${encodeURIComponent(stack)}/deployments/${id}`
