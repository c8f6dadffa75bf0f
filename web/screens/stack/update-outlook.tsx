import { SlidersHorizontal, UserCheck } from 'lucide'
import { ErrorBoundary as Loading } from 'preact-iso/lazy'
import type { Update } from '../../data/newer-images.ts'
import { can } from '../../data/session.ts'
import { takeOverPolicy, type UpdatePolicy, useUpdatePolicy } from '../../data/update-policy.ts'
import { useAct } from '../../data/use-act.ts'
import { useOverlay } from '../../frame/address.ts'
import { lazy } from '../../frame/lazy.ts'
import { Button } from '../../parts/button.tsx'
import { now } from '../../parts/clock.ts'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import { byHandLines, updateSentence } from './update-sentence.ts'

const UpdatePolicyForm = lazy(() => import('./update-policy-form.tsx'))

interface UpdateOutlookProps {
  stack: string
  updates: readonly Update[]
}

/** What happens next with newer images of a stack, and the way to change that. */
export function UpdateOutlook({ stack, updates }: UpdateOutlookProps) {
  const { value, problem } = useUpdatePolicy(stack)
  const [open, setOpen] = useOverlay('policy')
  const policy = value.value
  // Its line is there before it is.
  if (!policy) return <p class="quiet-text">{problem.value ? t.updatePolicy.failed : '\u00a0'}</p>
  const isBlocked = policy.blocked !== null
  return (
    <>
      {isBlocked && <Blocked stack={stack} policy={policy} />}
      <p>
        {isBlocked || (
          <>
            <span>{updateSentence(policy, updates, now.value)}</span>
            {(policy.source === 'tag' || policy.source === 'default') && (
              <span class="quiet-text">{t.updatePolicy.inherited(policy.tag)}</span>
            )}
            {policy.acts_as !== null && (
              <span class="quiet-text">{t.updatePolicy.actsAs(policy.acts_as)}</span>
            )}
          </>
        )}
        {can('stacks:deploy') && (
          <Button icon={SlidersHorizontal} onClick={() => setOpen('edit')}>
            {t.updatePolicy.change}
          </Button>
        )}
      </p>
      {policy.mode === 'apply' &&
        !isBlocked &&
        byHandLines(updates).map((line) => (
          <p key={line} class="quiet-text">
            {line}
          </p>
        ))}
      {open !== '' && can('stacks:deploy') && (
        <Loading>
          <UpdatePolicyForm stack={stack} policy={policy} onClose={() => setOpen('')} />
        </Loading>
      )}
    </>
  )
}

/** Why updates do not run, and what to do about it. */
function Blocked({ stack, policy }: { stack: string; policy: UpdatePolicy }) {
  const takeOver = useAct(takeOverPolicy, {
    ended: () => t.updatePolicy.takenOver(stack),
    failed: t.updatePolicy.notTakenOver,
  })
  const mayTakeOver = can('stacks:deploy')
  return (
    <p>
      <State of="failed" word={t.updatePolicy.blocked} />
      <span class="stack-error">{policy.blocked}</span>
      <span>{mayTakeOver ? t.updatePolicy.blockedNext : t.updatePolicy.blockedAsk}</span>
      {mayTakeOver && (
        <Button
          icon={UserCheck}
          busy={takeOver.pending.value && t.updatePolicy.takingOver}
          onClick={() => void takeOver.run(stack, policy)}
        >
          {t.updatePolicy.takeOver}
        </Button>
      )}
    </p>
  )
}
