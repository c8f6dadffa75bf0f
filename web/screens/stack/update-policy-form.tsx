import { useSignal } from '@preact/signals'
import { resetPolicy, savePolicy, type UpdatePolicy } from '../../data/update-policy.ts'
import { useAct } from '../../data/use-act.ts'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../text/text.ts'
import { bodyOf, draftOf } from './policy-draft.ts'
import { PolicyFields } from './policy-fields.tsx'
import { StackPolicyFields } from './stack-policy-fields.tsx'

interface UpdatePolicyFormProps {
  stack: string
  policy: UpdatePolicy
  onClose: () => void
}

/** What happens with newer images of a stack: nothing, a hint, or updates on a schedule. */
export default function UpdatePolicyForm({ stack, policy, onClose }: UpdatePolicyFormProps) {
  const draft = useSignal(draftOf(policy))
  const save = useAct(savePolicy, {
    ended: () => t.updatePolicy.saved(stack),
    failed: t.updatePolicy.notSaved,
    tellsProblem: false,
  })
  const reset = useAct(resetPolicy, {
    ended: () => t.updatePolicy.wasReset(stack),
    failed: t.updatePolicy.notReset,
  })
  const set = (change: Partial<typeof draft.value>) => {
    draft.value = { ...draft.value, ...change }
  }
  const closeIfDone = async (work: Promise<unknown>, { problem }: typeof save) => {
    await work
    if (problem.value === undefined) onClose()
  }
  return (
    <FormDialog
      title={t.updatePolicy.title(stack)}
      action={t.updatePolicy.save}
      size="medium"
      busy={save.pending.value && t.updatePolicy.saving}
      failed={t.updatePolicy.notSaved}
      problem={save.problem.value}
      onSubmit={() => void closeIfDone(save.run(stack, bodyOf(draft.value)), save)}
      onClose={onClose}
    >
      <PolicyFields draft={draft.value} set={set} actsAs={policy.acts_as}>
        <StackPolicyFields stack={stack} draft={draft.value} set={set} />
      </PolicyFields>
      {policy.source === 'stack' && (
        <div class="policy-reset">
          <Button
            busy={reset.pending.value && t.updatePolicy.resetting}
            onClick={() => void closeIfDone(reset.run(stack), reset)}
          >
            {t.updatePolicy.reset}
          </Button>
          <span class="quiet-text">{t.updatePolicy.resetHelp}</span>
        </div>
      )}
    </FormDialog>
  )
}
