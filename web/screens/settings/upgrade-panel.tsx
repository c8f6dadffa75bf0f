import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { ownEntry } from '../../data/own-entry.ts'
import { isTemporary } from '../../data/problem.ts'
import {
  callOff,
  type Operation,
  refreshService,
  type ServiceUpgrade,
  useServiceOperation,
  useServiceUpgrade,
} from '../../data/service-upgrade.ts'
import { useAct } from '../../data/use-act.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Button } from '../../parts/button.tsx'
import { ImageName } from '../../parts/image-name.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { State } from '../../parts/state.tsx'
import { Since } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { LastUpgradeAccount } from './last-upgrade.tsx'
import { UpgradeForm } from './upgrade-form.tsx'

/** The version of the service, the way to another one, and what became of the last upgrade. */
export function UpgradePanel() {
  const { value, problem, reload } = useServiceUpgrade()
  const failure = problem.value
  // The service is away while its container is replaced.
  const isAway = failure && value.value && isTemporary(failure)
  return (
    <div class="upgrade-panel">
      <Panel title={t.upgrade.title}>
        <Loaded
          of={{ value, problem: { value: isAway ? undefined : failure }, reload }}
          what={t.upgrade.title}
          failed={t.upgrade.failed}
          rows={3}
        >
          {(current) => <Installation current={current} />}
        </Loaded>
      </Panel>
    </div>
  )
}

function Installation({ current }: { current: ServiceUpgrade }) {
  const { version, installed, container, guide, last } = current
  return (
    <div class="upgrade">
      <Facts
        of={[
          [t.upgrade.version, version],
          container !== null && [t.upgrade.image, <ImageName key="image" of={container.image} />],
          container !== null && [t.upgrade.container, container.name],
        ]}
      />
      {installed === 'container' ? (
        <Upgrade current={current} />
      ) : (
        <p class="quiet-text">{t.upgrade.byHost[installed](guide)}</p>
      )}
      {last && <LastUpgradeAccount of={last} />}
    </div>
  )
}

/** The upgrade that goes on, or a form for one. */
function Upgrade({ current }: { current: ServiceUpgrade }) {
  const followed = useSignal<string | undefined>(undefined)
  const ended = useSignal<Operation | undefined>(undefined)
  const paused = current.pause?.operation_id
  // The pause of an upgrade can be over before its operation is.
  useEffect(() => {
    if (paused !== undefined) followed.value = paused
  }, [paused])
  const follow = ({ id }: Operation) => {
    ended.value = undefined
    followed.value = id
  }
  const end = (operation: Operation | undefined) => {
    ended.value = operation
    followed.value = undefined
    refreshService()
  }
  const form = <UpgradeForm current={current} onStarted={follow} />
  const id = followed.value
  if (id !== undefined) {
    return <Followed key={id} id={id} current={current} form={form} onEnded={end} />
  }
  return (
    <>
      {ended.value && <EarlyEnd of={ended.value} />}
      {form}
    </>
  )
}

interface FollowedProps {
  id: string
  current: ServiceUpgrade
  form: ComponentChildren
  onEnded: (operation: Operation | undefined) => void
}

/** How far an upgrade is, also while the service is away; or the form, beside a mere pause. */
function Followed({ id, current, form, onEnded }: FollowedProps) {
  const read = useServiceOperation(id)
  const operation = read.value.value
  const failure = read.problem.value
  const isAway = failure !== undefined && isTemporary(failure)
  const isLost = failure !== undefined && !isAway
  const isOver = operation !== undefined && operation.status !== 'running'
  useEffect(() => {
    if (isLost || isOver) onEnded(operation)
  }, [isLost, isOver])
  if (operation && operation.kind !== 'service_upgrade') {
    return (
      <>
        <Paused current={current} />
        {form}
      </>
    )
  }
  return (
    <div role="status" class="upgrade-progress">
      <State of="working" word={stepText(operation)} />
      {isAway && <p class="quiet-text">{t.upgrade.away}</p>}
      {operation?.result?.step === 'waiting' && <WaitsFor running={current.running} />}
      {operation && operation.result?.step !== 'replacing' && <CallOff id={id} />}
    </div>
  )
}

/** Ends an upgrade that has replaced nothing yet. */
function CallOff({ id }: { id: string }) {
  const cancel = useAct(callOff, { failed: t.upgrade.notCalledOff })
  const isAsked = useSignal(false)
  const submit = async () => {
    isAsked.value = (await cancel.run(id)) !== undefined
  }
  return (
    <div>
      <Button
        busy={(cancel.pending.value || isAsked.value) && t.upgrade.callingOff}
        onClick={() => void submit()}
      >
        {t.upgrade.callOff}
      </Button>
    </div>
  )
}

function stepText(operation: Operation | undefined): string {
  return ownEntry(t.upgrade.steps, String(operation?.result?.step)) ?? t.upgrade.begins
}

function WaitsFor({ running }: Pick<ServiceUpgrade, 'running'>) {
  if (running.length === 0) return null
  return (
    <ul class="quiet-text">
      {running.map(({ kind, id, name }) => (
        <li key={id}>{t.upgrade.work[kind](name)}</li>
      ))}
    </ul>
  )
}

function Paused({ current: { pause } }: { current: ServiceUpgrade }) {
  if (!pause) return null
  return (
    <p class="upgrade-line">
      <State of="attention" word={t.upgrade.paused(pause.by)} />
      <Since at={pause.started_at} />
    </p>
  )
}

/** Why an upgrade ended before it came to replacing the container. The last one has the rest. */
function EarlyEnd({ of: { kind, status, error, result } }: { of: Operation }) {
  if (kind !== 'service_upgrade' || status === 'succeeded' || result?.outcome) return null
  // Someone called it off.
  if (status === 'interrupted') {
    return (
      <p class="upgrade-line">
        <State of="stopped" word={t.upgrade.notUpgraded} />
        <span>{error}</span>
      </p>
    )
  }
  return <Problem title={t.upgrade.notUpgraded} error={error ?? status} />
}
