import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { act } from '../../../data/act.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { TextField } from '../../../parts/field.tsx'
import { t } from '../../../text/text.ts'
import { createFile } from './file-actions.ts'
import type { StackDetails } from './stack.ts'

interface NewFileProps {
  stack: StackDetails
  onDone: (path: string) => void
  onClose: () => void
}

/** Asks for the path of a new file. */
export function NewFile({ stack, onDone, onClose }: NewFileProps) {
  const { name, files, revision, source } = stack
  const path = useSignal('')
  const create = useMemo(
    () =>
      act(createFile, {
        ended: t.files.created,
        failed: t.files.notCreated,
        tellsProblem: false,
      }),
    [],
  )
  const isTaken = files.some((file) => file.path === path.value.trim())
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isTaken || path.value.trim() === '') return
    const done = await create.run(name, path.value.trim(), revision)
    if (done !== undefined) onDone(done)
  }
  return (
    <Dialog
      title={t.files.new}
      onClose={onClose}
      actions={(cancel) => (
        <>
          <Button onClick={cancel}>{t.parts.cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form="new-file"
            busy={create.pending.value && t.files.creating}
          >
            {t.files.create}
          </Button>
        </>
      )}
    >
      <form id="new-file" onSubmit={(event) => void submit(event)}>
        <TextField
          label={t.files.path}
          help={source ? t.files.pathOfSource : t.files.pathHelp}
          error={isTaken ? t.files.pathTaken : create.problem.value?.error}
          value={path.value}
          onInput={(value) => {
            path.value = value
            create.reset()
          }}
          autocomplete="off"
          isCode
          required
        />
      </form>
    </Dialog>
  )
}
