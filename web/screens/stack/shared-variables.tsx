import { useSignal } from '@preact/signals'
import { useResource } from '../../data/cache.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { useAct } from '../../data/use-act.ts'
import { takeSets, type VariableSet } from '../../data/variables.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Checkbox } from '../../parts/checkbox.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../text/text.ts'

interface SharedVariablesProps {
  stack: Pick<StackDetails, 'name' | 'shared_variables'>
  onClose: () => void
}

/** Which sets of shared variables the files of a stack can use. */
export function SharedVariables({ stack, onClose }: SharedVariablesProps) {
  const resource = useResource('/variables')
  const sets = resource.value.value
  if (sets && sets.length > 0) return <SetsForm stack={stack} sets={sets} onClose={onClose} />
  return (
    <Dialog title={t.variables.ofStack(stack.name)} onClose={onClose}>
      <Loaded
        of={resource}
        what={t.variables.title}
        failed={t.variables.failed}
        rows={3}
        empty={<Empty title={t.variables.empty}>{t.variables.emptyNext}</Empty>}
      >
        {() => null}
      </Loaded>
    </Dialog>
  )
}

function SetsForm({
  stack: { name, shared_variables: before },
  sets,
  onClose,
}: SharedVariablesProps & { sets: readonly VariableSet[] }) {
  const taken = useSignal<readonly string[]>(before)
  const save = useAct(() => takeSets(name, taken.value), {
    ended: () => t.variables.ofStackSaved(name),
    failed: t.variables.ofStackNotSaved,
    tellsProblem: false,
  })
  const submit = async () => {
    if (await save.run()) onClose()
  }
  return (
    <FormDialog
      title={t.variables.ofStack(name)}
      action={t.variables.take}
      busy={save.pending.value && t.variables.saving}
      failed={t.variables.ofStackNotSaved}
      problem={save.problem.value}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p class="quiet-text">{t.variables.order}</p>
      {sets.map((set) => (
        <Checkbox
          key={set.name}
          label={set.name}
          help={set.variable_names.join(', ')}
          checked={taken.value.includes(set.name)}
          onChange={(isTaken) => {
            const others = taken.value.filter((one) => one !== set.name)
            taken.value = isTaken ? [...others, set.name] : others
          }}
        />
      ))}
    </FormDialog>
  )
}
