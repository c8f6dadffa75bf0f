import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { useResource } from '../../data/cache.ts'
import { splitCommas } from '../../data/split-words.ts'
import { type Deployment, startRollback } from '../../data/stack-operations.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/checkbox.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { exactTime } from '../../parts/format-time.ts'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'
import { FileDiffs } from './file-diffs.tsx'
import { followDeploy } from './follow-deploy.ts'

interface RollBackProps {
  name: string
  to: Deployment
  onClose: () => void
}

/** Asks before a stack is rolled back: shows how its files change. */
export function RollBack({ name, to, onClose }: RollBackProps) {
  const { value } = useResource('/stacks/{name}', { name })
  const stack = value.value
  const overwrites = useSignal(false)
  const accepted = useSignal('')
  const hasDrift = (stack?.drift.length ?? 0) > 0
  const roll = useMemo(
    () =>
      act(
        async (overwrite: boolean, accept_references: string[]) => {
          const on_drift = overwrite ? 'overwrite' : 'fail'
          const body = { deployment_id: to.id, on_drift, accept_references } as const
          followDeploy(await startRollback(name, body))
          return true
        },
        { failed: t.stack.notRolledBack(name), tellsProblem: false },
      ),
    [name, to.id],
  )
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await roll.run(overwrites.value, splitCommas(accepted.value))) onClose()
  }
  const operation = stack?.operation ?? null
  const blocked =
    operation !== null
      ? t.stack.busy(name, t.stack.doing[operation])
      : hasDrift && !overwrites.value
        ? t.stack.chooseDrift
        : undefined
  const isRefused = roll.problem.value?.reason === 'references-not-accepted'
  const images = Object.keys(to.images).length
  return (
    <Dialog
      title={t.stack.rollBackAsk(name, t.stack.revision(to.revision))}
      size="large"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.parts.cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form="roll-back"
            blocked={blocked}
            busy={roll.pending.value && t.stack.rollingBack(name)}
          >
            {t.stack.rollBack(name)}
          </Button>
        </>
      }
    >
      <form id="roll-back" class="roll-back" onSubmit={(event) => void submit(event)}>
        {roll.problem.value && (
          <Problem title={t.stack.notRolledBack(name)} {...roll.problem.value} />
        )}
        <p>{t.stack.rollBackWhat(exactTime(new Date(to.started_at)), to.by, images)}</p>
        <p>{t.stack.rollBackStays}</p>
        {hasDrift && (
          <Checkbox
            label={t.stack.overwrite}
            help={stack?.drift.map(({ path }) => path).join(', ')}
            checked={overwrites.value}
            onChange={(checked) => {
              overwrites.value = checked
            }}
          />
        )}
        {(isRefused || accepted.value !== '') && (
          <TextField
            label={t.stack.acceptNames}
            help={t.stack.acceptNamesHelp}
            value={accepted.value}
            isCode
            onInput={(value) => {
              accepted.value = value
            }}
          />
        )}
        <FileDiffs name={name} from="current" to={to.id} none={t.stack.sameFiles} />
      </form>
    </Dialog>
  )
}
