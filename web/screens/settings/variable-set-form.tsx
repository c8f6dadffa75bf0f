import { useSignal } from '@preact/signals'
import { splitCommas } from '../../data/split-words.ts'
import { useAct } from '../../data/use-act.ts'
import { changeSet, createSet, type VariableSet } from '../../data/variables.ts'
import { bind } from '../../parts/bind.ts'
import { CodeField } from '../../parts/code-field.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../text/text.ts'
import { readVariableLines, type VariableLines } from './variable-lines.ts'

interface VariableSetFormProps {
  /** The one to change; without it, one is added. */
  set?: VariableSet
  onClose: () => void
}

/** Adds a set of variables, or changes values of one. Stored values are not shown. */
export function VariableSetForm({ set, onClose }: VariableSetFormProps) {
  const name = useSignal(set?.name ?? '')
  const tags = useSignal(set?.tags.join(', ') ?? '')
  const lines = useSignal('')
  const { variables, wrongLine } = readVariableLines(lines.value)
  const save = useAct(
    (variables: VariableLines['variables']) => {
      const change = { tags: splitCommas(tags.value), variables }
      return set
        ? changeSet(set.name, change)
        : createSet({ ...change, name: name.value.trim(), variables: withoutDeleted(variables) })
    },
    {
      ended: (saved) => t.variables.saved(saved.name),
      failed: t.variables.notSaved,
      tellsProblem: false,
    },
  )
  const submit = async () => {
    if (await save.run(variables)) onClose()
  }
  return (
    <FormDialog
      title={set ? t.variables.change(set.name) : t.variables.add}
      action={t.variables.save}
      busy={save.pending.value && t.variables.saving}
      blocked={wrongLine === undefined ? undefined : t.variables.wrongLine(wrongLine)}
      failed={t.variables.notSaved}
      problem={save.problem.value}
      size="medium"
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {!set && (
        <TextField
          label={t.variables.name}
          help={t.variables.nameHelp}
          {...bind(name)}
          autocomplete="off"
          isCode
          required
        />
      )}
      <TextField
        label={t.variables.tags}
        help={t.variables.tagsHelp}
        {...bind(tags)}
        autocomplete="off"
        isOptional
      />
      <CodeField
        label={t.variables.values}
        help={set ? t.variables.valuesStay(set.variable_names.join(', ')) : t.variables.valuesHelp}
        error={wrongLine === undefined ? undefined : t.variables.wrongLine(wrongLine)}
        {...bind(lines)}
        rows={6}
      />
    </FormDialog>
  )
}

/** A new set has nothing to delete. */
const withoutDeleted = (variables: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
