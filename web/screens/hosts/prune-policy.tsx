import { SlidersHorizontal, UserCheck } from 'lucide'
import { ErrorBoundary as Loading } from 'preact-iso/lazy'
import type { Host } from '../../data/hosts.ts'
import { type PrunePolicy, savePrunePolicy, usePrunePolicy } from '../../data/prune-policy.ts'
import { can } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useOverlay } from '../../frame/address.ts'
import { lazy } from '../../frame/lazy.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Button } from '../../parts/button.tsx'
import { now } from '../../parts/clock.ts'
import { formatBytes } from '../../parts/format-bytes.ts'
import { Facts, Panel } from '../../parts/panel.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { whenText } from '../updates/when-text.ts'
import { bodyOf, draftOf, pruneSchedules } from './prune-draft.ts'

const PrunePolicyForm = lazy(() => import('./prune-policy-form.tsx'))

/** Which unused images of a host are removed on a schedule, and the way to change that. */
export function PrunePolicyPanel({ host }: { host: Host }) {
  const policy = usePrunePolicy(host.id)
  const [open, setOpen] = useOverlay('prune')
  const mayChange = can('images:delete')
  return (
    <Panel
      title={t.prune.title}
      actions={
        mayChange &&
        policy.value.value && (
          <Button icon={SlidersHorizontal} onClick={() => setOpen('edit')}>
            {policy.value.value.schedule === null ? t.prune.setUp : t.prune.change}
          </Button>
        )
      }
    >
      <Loaded of={policy} what={t.prune.title} failed={t.prune.failed} rows={2}>
        {(value) => (
          <>
            <PolicyFacts host={host} policy={value} />
            {open !== '' && mayChange && (
              <Loading>
                <PrunePolicyForm host={host} policy={value} onClose={() => setOpen('')} />
              </Loading>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function PolicyFacts({ host, policy }: { host: Host; policy: PrunePolicy }) {
  const { schedule, timezone, what, unused_days: days, acts_as: actsAs, blocked } = policy
  if (schedule === null) return <p class="quiet-text">{t.prune.none}</p>
  return (
    <>
      {blocked !== null && <Blocked host={host} policy={policy} reason={blocked} />}
      <Facts
        of={[
          [t.prune.removes, what === 'nameless' ? t.prune.nameless : t.prune.unusedFor(days ?? 0)],
          [t.prune.when, `${scheduleText(schedule)} (${timezone})`],
          [t.prune.next, nextText(policy)],
          [t.prune.last, <LastRun key="last" of={policy.last} />],
          actsAs !== null && [t.prune.rights, actsAs],
        ]}
      />
    </>
  )
}

function scheduleText(schedule: string): string {
  const known: readonly string[] = pruneSchedules
  return t.prune.schedules[known.indexOf(schedule)] ?? schedule
}

function nextText({ next_at: at, blocked }: PrunePolicy): string {
  if (blocked !== null) return t.prune.notBlocked
  if (at === null) return t.parts.never
  const time = Date.parse(at)
  return time <= now.value ? t.prune.soon : whenText(time, now.value)
}

function LastRun({ of }: { of: PrunePolicy['last'] }) {
  if (of === null) return <>{t.prune.notYet}</>
  const { at, error, removed, reclaimed_bytes: bytes } = of
  return (
    <span class="prune-last">
      <Time at={at} />
      {error === null ? (
        <span>{t.prune.result(removed, formatBytes(bytes))}</span>
      ) : (
        <State of="failed" word={error} />
      )}
    </span>
  )
}

/** Why nothing is removed, and what to do about it. */
function Blocked({ host, policy, reason }: { host: Host; policy: PrunePolicy; reason: string }) {
  const takeOver = useAct(savePrunePolicy, {
    ended: () => t.prune.takenOver(host.name),
    failed: t.updatePolicy.notTakenOver,
  })
  const mayTakeOver =
    can('images:delete') && (policy.what === 'nameless' || can('stacks:privileged'))
  return (
    <p class="prune-blocked">
      <State of="failed" word={t.prune.blocked} />
      <span>{reason}</span>
      {mayTakeOver && (
        <Button
          icon={UserCheck}
          busy={takeOver.pending.value && t.updatePolicy.takingOver}
          onClick={() => void takeOver.run(host.id, bodyOf(draftOf(policy)))}
        >
          {t.updatePolicy.takeOver}
        </Button>
      )}
    </p>
  )
}
