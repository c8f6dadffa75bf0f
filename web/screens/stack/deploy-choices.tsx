import type { Signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { DeployBody } from '../../data/stack-operations.ts'
import { useQuery } from '../../frame/address.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { setSkipsPlan, skipsPlan } from './skip-plan.ts'

/** The options of a deploy that change its plan, besides those in the address. */
export type Choices = Pick<DeployBody, 'build' | 'force_recreate' | 'remove_orphans' | 'take_over'>

const pulls = ['default', 'missing', 'always', 'never'] as const
type Pull = (typeof pulls)[number]
type Build = 'default' | NonNullable<DeployBody['build']>

/** Returns which images a deploy pulls, from the address, and a setter. */
export function usePull(): [Pull, (pull: Pull) => void] {
  const [word, setWord] = useQuery('pull', 'default')
  return [pulls.find((pull) => pull === word) ?? 'default', setWord]
}

/**
 * The options of a deploy. They are shown without a plan too: a plan that is refused may need one
 * of them.
 */
export function DeployChoices({ choices }: { choices: Signal<Choices> }) {
  const [pull, setPull] = usePull()
  const { build = 'default' } = choices.value
  const { force_recreate = false, remove_orphans = false, take_over = false } = choices.value
  // Open to begin with, if the address chose one of them.
  const isOpen = useMemo(() => pull !== 'default', [])
  const set = (change: Choices) => {
    choices.value = { ...choices.value, ...change }
  }
  return (
    <details class="deploy-choices" open={isOpen}>
      <summary>{t.stack.options}</summary>
      <div class="deploy-options">
        <Select
          label={t.stack.pull}
          value={pull}
          options={pulls.map((value) => ({
            value,
            label: t.stack.pullChoices[value],
          }))}
          onChange={setPull}
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
          label={t.stack.takeOver}
          checked={take_over}
          onChange={(checked) => set({ take_over: checked || undefined })}
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
