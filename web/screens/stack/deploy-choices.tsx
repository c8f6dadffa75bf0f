import type { Signal } from '@preact/signals'
import type { DeployBody } from '../../data/stack-operations.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { setSkipsPlan, skipsPlan } from './skip-plan.ts'

/** The options of a deploy that change its plan. */
export type Choices = Pick<DeployBody, 'pull' | 'build' | 'force_recreate' | 'remove_orphans'>

type Pull = 'default' | NonNullable<DeployBody['pull']>
type Build = 'default' | NonNullable<DeployBody['build']>

/**
 * The options of a deploy. They are shown without a plan too: a plan that is refused may need one
 * of them.
 */
export function DeployChoices({ choices }: { choices: Signal<Choices> }) {
  const { pull = 'default', build = 'default' } = choices.value
  const { force_recreate = false, remove_orphans = false } = choices.value
  const set = (change: Choices) => {
    choices.value = { ...choices.value, ...change }
  }
  return (
    <details class="deploy-choices">
      <summary>{t.stack.options}</summary>
      <div class="deploy-options">
        <Select
          label={t.stack.pull}
          value={pull}
          options={(['default', 'missing', 'always', 'never'] as const).map((value) => ({
            value,
            label: t.stack.pullChoices[value],
          }))}
          onChange={(value: Pull) => set({ pull: value === 'default' ? undefined : value })}
        />
        <Select
          label={t.stack.build}
          value={build}
          options={(['default', 'missing', 'always'] as const).map((value) => ({
            value,
            label: t.stack.buildChoices[value],
          }))}
          onChange={(value: Build) => set({ build: value === 'default' ? undefined : value })}
        />
        <Checkbox
          label={t.stack.recreate}
          checked={force_recreate}
          onChange={(checked) => set({ force_recreate: checked || undefined })}
        />
        <Checkbox
          label={t.stack.orphans}
          checked={remove_orphans}
          onChange={(checked) => set({ remove_orphans: checked || undefined })}
        />
        <Checkbox
          label={t.stack.skipPlan}
          help={t.stack.skipPlanHelp}
          checked={skipsPlan()}
          onChange={setSkipsPlan}
        />
      </div>
    </details>
  )
}
