import { useSignal } from '@preact/signals'
import { saveInherited } from '../../data/inherited-policies.ts'
import { type InheritedPolicy, ofTag, preset, tagOf } from '../../data/inherited-policy.ts'
import { useAct } from '../../data/use-act.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { termsDraftOf, termsOf } from '../stack/policy-draft.ts'
import { PolicyFields } from '../stack/policy-fields.tsx'

interface InheritedPolicyFormProps {
  /** The one to change; without it, one is added for a tag. */
  policy: InheritedPolicy | undefined
  /** Tags of hosts that have no policy. */
  tags: readonly string[]
  onClose: () => void
}

/** What happens with newer images of stacks that inherit a policy. */
export function InheritedPolicyForm({ policy, tags, onClose }: InheritedPolicyFormProps) {
  const draft = useSignal(termsDraftOf(policy ?? preset))
  const typed = useSignal('')
  const tag = tags.includes(typed.value) ? typed.value : (tags[0] ?? '')
  const save = useAct(saveInherited, {
    ended: ({ of }) => t.inheritedPolicies.saved(t.inheritedPolicies.of(tagOf(of))),
    failed: t.updatePolicy.notSaved,
    tellsProblem: false,
  })
  const submit = async () => {
    if (await save.run(policy?.of ?? ofTag(tag), termsOf(draft.value))) onClose()
  }
  return (
    <FormDialog
      title={
        policy
          ? t.inheritedPolicies.title(t.inheritedPolicies.of(tagOf(policy.of)))
          : t.inheritedPolicies.add
      }
      action={t.updatePolicy.save}
      size="medium"
      busy={save.pending.value && t.updatePolicy.saving}
      blocked={policy || tag !== '' ? undefined : t.inheritedPolicies.isFull}
      failed={t.updatePolicy.notSaved}
      problem={save.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {!policy && (
        <Select
          label={t.inheritedPolicies.tag}
          help={t.inheritedPolicies.tagHelp}
          value={tag}
          onChange={(value) => {
            typed.value = value
          }}
          options={tags.map((value) => ({ value, label: value }))}
        />
      )}
      <PolicyFields
        draft={draft.value}
        set={(change) => {
          draft.value = { ...draft.value, ...change }
        }}
        actsAs={policy?.acts_as ?? null}
      />
    </FormDialog>
  )
}
